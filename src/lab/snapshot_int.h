/* SPDX-License-Identifier: MIT */
/* Shared by snapshot.c (one of them) and snapshot_list.c (all). */
#ifndef LAB_SNAPSHOT_INT_H
#define LAB_SNAPSHOT_INT_H

#define SNAPSHOT_FOLDER ".snapshots"

#endif
