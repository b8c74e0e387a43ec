package mcpclients

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/spf13/cobra"

	"cove/internal/cli/command"
	"cove/internal/cli/entries"
	"cove/internal/clients"
	"cove/internal/fault"
)

func snippetCommand(env *command.Env) *cobra.Command {
	var f entries.Flags
	cmd := &cobra.Command{
		Use: "snippet CLIENT ID", Short: "Print an entry to paste into a client's file", Args: command.Exactly(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			r, err := entries.Registry(env)
			if err != nil {
				return err
			}
			one, err := clients.Find(args[0])
			if err != nil {
				return err
			}
			x, err := entries.For(cmd, env, r, args[1], f)
			if err != nil {
				return err
			}
			s := r.Paste(one, x)
			return env.Print(s, func(w io.Writer) {
				fmt.Fprintln(w, s.Text)
				fmt.Fprintf(env.Err, "\nIt belongs into %s.\n", strings.Join(s.Files, ", or for this folder into "))
				if s.Link != "" {
					fmt.Fprintf(env.Err, "Or open this address: %s\n", s.Link)
				}
			})
		},
	}
	f.Bind(cmd)
	return env.WithJSON(cmd)
}

func bundleCommand(env *command.Env) *cobra.Command {
	var file string
	cmd := &cobra.Command{
		Use: "bundle ID", Short: "Write a .mcpb file that Claude Desktop installs with a double click",
		Args: command.Exactly(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			r, err := entries.Registry(env)
			if err != nil {
				return err
			}
			x, err := entries.For(cmd, env, r, args[0], entries.Flags{})
			if err != nil {
				return err
			}
			if file == "" {
				file = x.Name + ".mcpb"
			}
			if err := writeBundle(file, x); err != nil {
				return err
			}
			abs, _ := filepath.Abs(file)
			return env.Print(map[string]string{"path": abs}, func(w io.Writer) {
				fmt.Fprintf(w, "Wrote %s: open it with Claude Desktop.\n%s\n", abs, clients.Warning(x.Profile))
			})
		},
	}
	cmd.Flags().StringVar(&file, "out", "", "the file to write (default: cove-ID.mcpb in this folder)")
	return env.WithJSON(cmd)
}

// writeBundle writes a temporary file first, so that an existing bundle stays whole if that fails.
func writeBundle(file string, x clients.Entry) (err error) {
	denied := func(err error) error {
		if err := fault.Disk(err); fault.From(err).Code == fault.CodeDiskFull {
			return err
		}
		why := err.Error()
		var p *os.PathError
		if errors.As(err, &p) {
			why = p.Err.Error()
		}
		return fault.New(fault.CodeUnwritable, file+" cannot be written: "+why+".", "Name another file with --out.").
			Because(err)
	}
	if info, err := os.Stat(file); err == nil && !info.Mode().IsRegular() {
		return denied(errors.New("it is not an ordinary file"))
	}
	f, err := os.CreateTemp(filepath.Dir(file), "."+filepath.Base(file)+".*")
	if err != nil {
		return denied(err)
	}
	defer func() {
		if err != nil {
			_ = os.Remove(f.Name())
		}
	}()
	err = clients.Bundle(f, runtime.GOOS, command.Version, x.Command, x)
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	if err == nil {
		err = os.Rename(f.Name(), file)
	}
	if err != nil {
		return denied(err)
	}
	return nil
}
