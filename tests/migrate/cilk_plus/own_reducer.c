/* CILK_C_DECLARE_REDUCER and CILK_C_INIT_REDUCER: a list, appended to in parallel. */
#include <cilk/cilk.h>
#include <cilk/reducer.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct item {
  int value;
  struct item *next;
} item;
typedef struct {
  item *head, *tail;
} list;

static void list_add(list *into, item *head, item *tail) {
  if (into->head)
    into->tail->next = head;
  else
    into->head = head;
  into->tail = tail;
}
static void list_identity(void *reducer, void *view) {
  (void)reducer;
  ((list *)view)->head = ((list *)view)->tail = NULL;
}
static void list_reduce(void *reducer, void *left, void *right) {
  list *from = right;
  (void)reducer;
  if (from->head) list_add(left, from->head, from->tail);
}
typedef CILK_C_DECLARE_REDUCER(list) list_reducer;

static void append(list_reducer *reducer, int value) {
  item *last = calloc(1, sizeof *last);
  last->value = value;
  list_add(&REDUCER_VIEW(*reducer), last, last);
}

int main(void) {
  list_reducer squares = CILK_C_INIT_REDUCER(list, list_reduce, list_identity,
                                             __cilkrts_hyperobject_noop_destroy, {NULL, NULL});
  CILK_C_REGISTER_REDUCER(squares);
  cilk_for (int i = 0; i < 60; i++)
    if (i * i % 7 == 2) append(&squares, i * i);
  for (int i = 1; i < 5; i++) cilk_spawn append(&squares, -i);
  cilk_sync;
  CILK_C_UNREGISTER_REDUCER(squares);
  for (item *i = squares.value.head; i; i = i->next) printf("%d%c", i->value, i->next ? ' ' : '\n');
  return 0;
}
