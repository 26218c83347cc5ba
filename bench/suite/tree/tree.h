/* tree.h — an unbalanced tree that exists only while it is searched, as in UTS: a hash of a node's
 * place determines how many children it has. The root has `size` of them, every other node 8 with a
 * probability of 0.12375 and else none, so that subtrees have 100 nodes on average and differ by
 * orders of magnitude. */
#pragma once

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The state of child number `child` of a node; the root's state is 0. Any thread. */
uint64_t tree_child(uint64_t parent, long child);

/* How many children a node other than the root has. */
long tree_children(uint64_t node);

/* Nodes below and with `node`, counted by one thread. */
long tree_count(uint64_t node);

#ifdef __cplusplus
}
#endif
