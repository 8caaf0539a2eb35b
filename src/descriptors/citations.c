/* Holds publications of several descriptors and of the benchmark, and how to cite us. */
#include "descriptors/citations.h"

#include "psbench.h"

const char psb_ankerst_1999[] = "@inproceedings{ankerst1999shape,\n"
                                "  author = {Mihael Ankerst and Gabi Kastenm{\\\"u}ller and "
                                "Hans-Peter Kriegel and Thomas Seidl},\n"
                                "  title = {{3D} Shape Histograms for Similarity Search and "
                                "Classification in Spatial Databases},\n"
                                "  booktitle = {Advances in Spatial Databases (SSD)},\n"
                                "  series = {Lecture Notes in Computer Science},\n"
                                "  volume = {1651},\n"
                                "  pages = {207--226},\n"
                                "  year = {1999},\n"
                                "  doi = {10.1007/3-540-48482-5_14},\n"
                                "}\n";

const char psb_kazhdan_2003[] =
    "@inproceedings{kazhdan2003rotation,\n"
    "  author = {Michael Kazhdan and Thomas Funkhouser and Szymon Rusinkiewicz},\n"
    "  title = {Rotation Invariant Spherical Harmonic Representation of {3D} Shape Descriptors},\n"
    "  booktitle = {Eurographics Symposium on Geometry Processing},\n"
    "  pages = {156--164},\n"
    "  year = {2003},\n"
    "}\n";

const char psb_this_program[] =
    "@software{psbench,\n"
    "  author = {{The psbench authors}},\n"
    "  title = {psbench: the experiments of the {Princeton Shape Benchmark} from raw models},\n"
    "  version = {" PSB_VERSION "},\n"
    "  year = {2026},\n"
    "}\n";

const char *psb_benchmark_bibtex(void) {
    return "@inproceedings{shilane2004princeton,\n"
           "  author = {Philip Shilane and Patrick Min and Michael Kazhdan and Thomas "
           "Funkhouser},\n"
           "  title = {The {Princeton Shape Benchmark}},\n"
           "  booktitle = {Shape Modeling International},\n"
           "  pages = {167--178},\n"
           "  year = {2004},\n"
           "  doi = {10.1109/SMI.2004.1314504},\n"
           "}\n";
}

const char *psb_bibtex(void) {
    return psb_this_program;
}
