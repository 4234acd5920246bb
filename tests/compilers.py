"""The environment in which tests start a compiler."""

# As the driver does (clang-plugin/driver/README.md, huge pages): a small program compiles and links
# in two thirds of the time.
HUGE_PAGES = {"GLIBC_TUNABLES": "glibc.malloc.hugetlb=1:glibc.malloc.top_pad=16777216"}
