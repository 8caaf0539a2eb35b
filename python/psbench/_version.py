"""The release that this module is of; its library has to be of the same."""

VERSION = "0.2.0"
