package command

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"
)

// WithJSON adds --json to a command that prints data.
func (e *Env) WithJSON(cmd *cobra.Command) *cobra.Command {
	cmd.Flags().BoolVar(&e.JSON, "json", false, "print JSON")
	return cmd
}

// Print writes v as JSON with --json, and otherwise what text writes.
func (e *Env) Print(v any, text func(w io.Writer)) error {
	if !e.JSON {
		text(e.Out)
		return nil
	}

	encoder := json.NewEncoder(e.Out)
	encoder.SetEscapeHTML(false)
	return encoder.Encode(v)
}

// Table begins a table with its head. Row adds rows, and Flush writes the table.
func Table(w io.Writer, columns ...string) *tabwriter.Writer {
	t := Columns(w)
	Row(t, columns...)
	return t
}

// Columns begins a table without a head.
func Columns(w io.Writer) *tabwriter.Writer { return tabwriter.NewWriter(w, 0, 0, 2, ' ', 0) }

// Row adds a row to a table.
func Row(t *tabwriter.Writer, cells ...string) {
	fmt.Fprintln(t, strings.TrimRight(strings.Join(cells, "\t"), "\t"))
}
