#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "measure/interrupt.h"

#include <sys/wait.h>
#include <unistd.h>

static const int watched[] = {SIGINT, SIGTERM, SIGHUP};
#define N_WATCHED (sizeof watched / sizeof watched[0])

static bool is_blocked(int signal_number)
{
    sigset_t mask;
    assert_int_equal(sigprocmask(SIG_BLOCK, NULL, &mask), 0);
    return sigismember(&mask, signal_number) == 1;
}

static void test_a_signal_is_noticed_and_named(void **unused)
{
    (void)unused;
    for (size_t i = 0; i < N_WATCHED; i++) {
        cb_interrupt interrupt;
        cb_err err = {0};
        assert_int_equal(cb_interrupt_open(&interrupt, &err), CB_OK);
        assert_false(cb_interrupt_came(&interrupt));
        assert_int_equal(interrupt.signal, 0);
        assert_int_equal(raise(watched[i]), 0);
        assert_true(cb_interrupt_came(&interrupt));
        assert_int_equal(interrupt.signal, watched[i]);
        assert_true(cb_interrupt_came(&interrupt)); /* it stays */
        cb_interrupt_close(&interrupt);
    }
}

static void test_the_first_signal_counts(void **unused)
{
    (void)unused;
    cb_interrupt interrupt;
    assert_int_equal(cb_interrupt_open(&interrupt, NULL), CB_OK);
    assert_int_equal(raise(SIGTERM), 0);
    assert_true(cb_interrupt_came(&interrupt));
    assert_int_equal(raise(SIGHUP), 0);
    assert_true(cb_interrupt_came(&interrupt));
    assert_int_equal(interrupt.signal, SIGTERM);
    /* The second one would act on closing: it is taken off first. */
    sigset_t set;
    int taken = 0;
    (void)sigemptyset(&set);
    (void)sigaddset(&set, SIGHUP);
    assert_int_equal(sigwait(&set, &taken), 0);
    cb_interrupt_close(&interrupt);
}

static void test_closing_restores_the_mask(void **unused)
{
    (void)unused;
    cb_interrupt interrupt;
    for (size_t i = 0; i < N_WATCHED; i++)
        assert_false(is_blocked(watched[i]));
    assert_int_equal(cb_interrupt_open(&interrupt, NULL), CB_OK);
    for (size_t i = 0; i < N_WATCHED; i++) {
        assert_true(is_blocked(watched[i]));
        assert_int_equal(sigismember(&interrupt.saved, watched[i]), 0);
    }
    assert_false(is_blocked(SIGQUIT));
    cb_interrupt_close(&interrupt);
    assert_int_equal(interrupt.fd, -1);
    for (size_t i = 0; i < N_WATCHED; i++)
        assert_false(is_blocked(watched[i]));
    cb_interrupt_close(&interrupt); /* a second time does nothing */
}

/* In a child: opens, is signalled, closes; returns only when the signal did not end it. */
static void be_signalled(bool notice)
{
    cb_interrupt interrupt;
    if (cb_interrupt_open(&interrupt, NULL) != CB_OK || raise(SIGTERM) != 0)
        _exit(2);
    if (notice && !cb_interrupt_came(&interrupt))
        _exit(3);
    cb_interrupt_close(&interrupt);
    _exit(0);
}

static int end_of_child(bool notice)
{
    int how = 0;
    const pid_t pid = fork();
    assert_true(pid >= 0);
    if (pid == 0)
        be_signalled(notice);
    assert_int_equal(waitpid(pid, &how, 0), pid);
    return how;
}

static void test_a_signal_nobody_noticed_acts_on_closing(void **unused)
{
    (void)unused;
    const int unnoticed = end_of_child(false), noticed = end_of_child(true);
    assert_true(WIFSIGNALED(unnoticed));
    assert_int_equal(WTERMSIG(unnoticed), SIGTERM);
    assert_true(WIFEXITED(noticed));
    assert_int_equal(WEXITSTATUS(noticed), 0);
}

static void test_interrupts_can_be_off(void **unused)
{
    (void)unused;
    cb_interrupt interrupt = {.fd = -1};
    assert_false(cb_interrupt_came(&interrupt));
    cb_interrupt_close(&interrupt);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_signal_is_noticed_and_named),
        cmocka_unit_test(test_the_first_signal_counts),
        cmocka_unit_test(test_closing_restores_the_mask),
        cmocka_unit_test(test_a_signal_nobody_noticed_acts_on_closing),
        cmocka_unit_test(test_interrupts_can_be_off),
    };
    return cmocka_run_group_tests_name("interrupt", tests, NULL, NULL);
}
