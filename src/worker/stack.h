/* A fixed place on the stack for what is measured. */
#ifndef CB_WORKER_STACK_H
#define CB_WORKER_STACK_H

/* Calls f(argument) with the stack pointer at a fixed offset in its page, whatever the environment, the
 * arguments and address-space randomisation did to it: the offset alone moves short operations by percents.
 */
int cb_stack_call(int (*f)(void *), void *argument);

#endif
