#include "measure/interrupt.h"

#include <errno.h>
#include <string.h>
#include <sys/signalfd.h>
#include <unistd.h>

cb_status cb_interrupt_open(cb_interrupt *interrupt, cb_err *err)
{
    sigset_t set;
    *interrupt = (cb_interrupt){.fd = -1};
    (void)sigemptyset(&set);
    (void)sigaddset(&set, SIGINT);
    (void)sigaddset(&set, SIGTERM);
    (void)sigaddset(&set, SIGHUP);
    if (sigprocmask(SIG_BLOCK, &set, &interrupt->saved) != 0)
        return cb_fail(err, CB_IO, "signals cannot be blocked: %s", strerror(errno));
    interrupt->fd = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
    if (interrupt->fd < 0) {
        cb_status status = cb_fail(err, CB_IO, "signals cannot be watched: %s", strerror(errno));
        (void)sigprocmask(SIG_SETMASK, &interrupt->saved, NULL);
        return status;
    }
    return CB_OK;
}

bool cb_interrupt_came(cb_interrupt *interrupt)
{
    struct signalfd_siginfo info;
    if (interrupt->signal == 0 && interrupt->fd >= 0 &&
        read(interrupt->fd, &info, sizeof info) == (ssize_t)sizeof info)
        interrupt->signal = (int)info.ssi_signo;
    return interrupt->signal != 0;
}

void cb_interrupt_close(cb_interrupt *interrupt)
{
    if (interrupt->fd < 0)
        return;
    (void)close(interrupt->fd);
    interrupt->fd = -1;
    (void)sigprocmask(SIG_SETMASK, &interrupt->saved, NULL);
}
