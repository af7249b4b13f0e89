/* SPDX-License-Identifier: MIT */
/* Shared by snapshot.c (one of them) and snapshot_list.c (all). */
#ifndef LAB_SNAPSHOT_INT_H
#define LAB_SNAPSHOT_INT_H

#define SNAPSHOT_FOLDER ".snapshots"
/* In a snapshot's folder: what its content depends on.  Its time is that of the
 * making, the folder's that of the last use. */
#define SNAPSHOT_KEY_FILE "key"

#endif
