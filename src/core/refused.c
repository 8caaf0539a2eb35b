/* Implements the list of refusals. */
#include "core/refused.h"

#include <errno.h>

bool psb_is_refused(psb_refusable call) {
    enum { MOST = 8 };
    static const int reasons[][MOST] = {
        /* EPERM: links are protected; EXDEV, EACCES: by Landlock; ENOENT: without /proc */
        [PSB_REFUSED_LINK] = {EPERM, ENOSYS, EOPNOTSUPP, EINVAL, EMLINK, EXDEV, EACCES, ENOENT},
        [PSB_REFUSED_RENAME] = {ENOSYS},
        [PSB_REFUSED_SYNC] = {EINVAL, EOPNOTSUPP, ENOSYS},
        [PSB_REFUSED_RESIZE] = {EPERM, EINVAL, EOPNOTSUPP, ENOSYS},
        [PSB_REFUSED_LOCK] = {ENOSYS, EOPNOTSUPP, ENOLCK, EINVAL},
        [PSB_REFUSED_MAP] = {ENODEV, EOPNOTSUPP, ENOSYS},
        [PSB_REFUSED_RANDOM] = {ENOSYS, EPERM},
    };
    bool found = false;
    for (int i = 0; i < MOST && reasons[call][i] != 0; i++) {
        found = found || reasons[call][i] == errno;
    }
    return found;
}
