/* Declares BibTeX entries that more than one descriptor refers to. */
#pragma once

extern const char psb_ankerst_1999[], psb_kazhdan_2003[], psb_this_program[];
