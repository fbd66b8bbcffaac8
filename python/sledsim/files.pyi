from .common import checked as checked, toml as toml
from .common.arrow import pyarrow as pyarrow
from .common.output_files import (
    PathLike as PathLike,
    check_output_name as check_output_name,
    check_writable as check_writable,
    write_table as write_table,
    write_text as write_text,
    writing as writing,
)
