"""The version of this package, for `User-Agent`."""

VERSION = "0.2.0"
