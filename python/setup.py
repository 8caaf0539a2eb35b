"""Puts the shared library into the wheel, which is then for this kind of machine and any Python."""

import os
import shutil

from setuptools import Distribution, setup
from setuptools.command.build_py import build_py

try:
    from setuptools.command.bdist_wheel import bdist_wheel
except ImportError:  # before setuptools 70
    from wheel.bdist_wheel import bdist_wheel

SONAME = "libpsbench.so.0"
BUILT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "build", "release", SONAME)


class WithLibrary(build_py):
    """PSBENCH_LIBRARY names the file, else it is that of the release build; where it is empty, none:
    the module then looks for the library where the system has its own."""

    def run(self):
        super().run()
        library = os.environ.get("PSBENCH_LIBRARY", BUILT)
        if library:
            shutil.copy(library, os.path.join(self.build_lib, "psbench", SONAME))


class OfAnyPython(bdist_wheel):
    def get_tag(self):
        return ("py3", "none", super().get_tag()[2])


class ForThisMachine(Distribution):
    def has_ext_modules(self):
        return True


setup(
    cmdclass={"build_py": WithLibrary, "bdist_wheel": OfAnyPython},
    distclass=ForThisMachine,
)
