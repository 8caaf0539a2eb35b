/*
 * The box that psbench-import closes around itself before it looks at a byte of a model. assimp's
 * readers trust their input, so a model may take the process over; all that such a model can use is
 * CPU time, memory and the one socket to psbench, each within limits.
 */
#pragma once

/* The walls of the box. BOX_LIMITS stands everywhere, the others if the kernel has them. */
enum {
    BOX_LIMITS = 1,   /* limits of memory, time, processes, files */
    BOX_LANDLOCK = 2, /* no file or folder can be opened, made, renamed or removed by its name */
    BOX_SECCOMP = 4,  /* only system calls that compute and talk to psbench */
};

/*
 * Puts up the `wanted` walls that this kernel and this build have, for the life of the process.
 * `seconds` is the CPU time that the process gets, `memory` the bytes of its address space.
 * Returns the walls that stand. If BOX_LIMITS is not among them, the limits could not be set, and
 * the process must not go on.
 */
unsigned box_close(unsigned wanted, double seconds, unsigned long memory);
