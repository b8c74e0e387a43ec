package journals

import (
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"cove/api"
	"cove/internal/cli/command"
	"cove/internal/cli/exit"
	"cove/internal/fault"
	"cove/internal/journal"
	"cove/internal/journal/replay"
	"cove/internal/paths"
	"cove/internal/profile"
)

func verifyCommand(env *command.Env) *cobra.Command {
	var file string
	cmd := &cobra.Command{Use: "verify ID | --file FILE", Short: "Verify that the journal was not changed",
		Long: `Verify that no entry and no screenshot in the journal was changed, removed, added or moved.
Exits 0 if the journal is intact and 1 if it is not.

With --file, verify a file of cove journal export --html. On the computer that recorded it, this also
checks that Cove wrote its entries.`}
	onProfile := env.OnProfile(false, func(cmd *cobra.Command, client *api.Client, id profile.ID) error {
		r, err := client.Journal(id).Verify(cmd.Context())
		if err != nil {
			return err
		}
		err = env.Print(r, func(w io.Writer) {
			for _, p := range r.Problems {
				fmt.Fprintln(w, shown(p, 500))
			}
			if r.OK {
				fmt.Fprintf(w, "The journal of profile %d is intact. Entries: %d; screenshots: %d.\n", id, r.Entries,
					r.Pictures)
			}
		})
		if err == nil && !r.OK {
			return fault.New(fault.CodeJournal, fmt.Sprintf("The journal of profile %d was changed.", id),
				"docs/security.md explains each finding. Save what is left with: cove journal export "+
					id.String())
		}

		return err
	})
	cmd.Args = func(cmd *cobra.Command, args []string) error {
		if (file == "") != (len(args) == 1) || len(args) > 1 {
			return exit.Usagef(cmd, "expected journal verify ID or journal verify --file FILE")
		}
		return nil
	}
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if file != "" {
			return verifyFile(env, file)
		}
		return onProfile(cmd, args)
	}

	cmd.Flags().StringVar(&file, "file", "", "a file of cove journal export --html")
	return env.WithJSON(cmd)
}

// maxFile is the size of the largest replay file that is verified.
const maxFile = 1 << 30

// fileReport is what --json prints of a file.
type fileReport struct {
	api.JournalReport
	// Sealed is how many entries Cove on this computer has written.
	Sealed int `json:"sealed"`
}

// verifyFile verifies a replay file. It needs no app.
func verifyFile(env *command.Env, name string) error {
	raw, err := env.ReadFile(name, maxFile)
	if err != nil {
		return err
	}
	home, err := env.HomeDir()
	if err != nil {
		return err
	}
	r, err := replay.Verify(raw, func(id int) journal.Key { return keyOf(home, profile.ID(id)) })
	if err != nil {
		return err
	}

	out := fileReport{Sealed: r.Sealed, JournalReport: api.JournalReport{
		OK: len(r.Problems) == 0, Entries: int64(r.Entries), Pictures: r.Screenshots, Problems: r.Problems,
	}}
	if out.Problems == nil {
		out.Problems = []string{}
	}
	err = env.Print(out, func(w io.Writer) { writeFileReport(w, r) })
	if err == nil && !out.OK {
		return fault.New(fault.CodeJournal, "The file was changed.",
			"Do not rely on it. Export the journal again: cove journal export ID --html -o FILE")
	}
	return err
}

func writeFileReport(w io.Writer, r replay.Report) {
	for _, p := range r.Problems {
		fmt.Fprintln(w, shown(p, 500))
	}
	if len(r.Problems) > 0 {
		return
	}
	fmt.Fprintf(w, "The file is intact. Entries: %d; screenshots: %d.\n", r.Entries, r.Screenshots)
	if r.Entries == 0 {
		return
	}
	if r.Sealed == r.Entries {
		fmt.Fprintln(w, "Cove on this computer recorded all of its entries.")
	} else {
		fmt.Fprintf(w, "Cove on this computer recorded %d of its entries. Who recorded the others can be checked only "+
			"on the computer that did.\n", r.Sealed)
	}
}

// keyOf returns the key of a profile's journal; nil where this computer has none. It makes no key.
func keyOf(home paths.Home, id profile.ID) journal.Key {
	if _, err := os.Stat(home.JournalKey()); err != nil {
		return nil
	}
	key, err := journal.ReadKey(home.JournalKey())
	if err != nil {
		return nil
	}
	return key.Of(id)
}
