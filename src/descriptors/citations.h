/* Declares BibTeX entries that more than one descriptor refers to. */
#ifndef PSB_DESCRIPTORS_CITATIONS_H
#define PSB_DESCRIPTORS_CITATIONS_H

extern const char psb_ankerst_1999[], psb_kazhdan_2003[], psb_this_program[];

#endif
