from ._native import row_name as row_name
from .cli.command_options import (
    JsonOption as JsonOption,
    of_output as of_output,
    parse_settings as parse_settings,
    parse_texts as parse_texts,
)
from .cli.commands.listing import Kind as Kind
from .cli.interruption import kept_in as kept_in
from .cli.output import (
    console as console,
    listed as listed,
    print_json as print_json,
    print_note as print_note,
    print_table as print_table,
    print_text as print_text,
    runnable as runnable,
    table as table,
    write_plots as write_plots,
)
from .cli.renamed import taken as taken
from .cli.shared import COUNT as COUNT, REPLICATIONS as REPLICATIONS, SEED as SEED
from .cli.shell import App as App
from .cli.terminal import progress as progress
from .common.declared import default_of as default_of
from .traces.generators import given_options as given_options
