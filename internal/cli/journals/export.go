package journals

import (
	"context"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"cove/api"
	"cove/internal/cli/command"
	"cove/internal/cli/exit"
	"cove/internal/fault"
	"cove/internal/paths"
	"cove/internal/profile"
)

const sinceHelp = "only entries after a time (2026-03-05, 2026-03-05T08:00:00Z) or of the last 24h"

// exportOptions are the flags of `cove journal export`.
type exportOptions struct {
	since, session, output string
	html, noPictures       bool
}

func exportCommand(env *command.Env) *cobra.Command {
	var o exportOptions
	cmd := &cobra.Command{Use: "export ID", Short: "Export the journal as JSON lines or as one HTML file",
		Long: `Write the journal to standard output or to a file.

By default, one JSON object per line, oldest first. Lines are exactly as they were recorded: hash is the
SHA-256 of the line's bytes before ,"hash" and prev is the hash of the previous line.

With --html, one HTML file that replays the steps with their screenshots. Anyone can open it in a browser,
without a network. It verifies itself and says so if it was changed.`, Args: command.Exactly(1)}
	cmd.RunE = env.OnProfile(false, func(cmd *cobra.Command, client *api.Client, id profile.ID) error {
		switch {
		case o.html && o.since != "":
			return exit.Usagef(cmd, "--html has the whole journal or one session: use --session, not --since")
		case o.html:
			return exportHTML(cmd.Context(), env, client, id, o)
		case o.output != "" || o.noPictures:
			return exit.Usagef(cmd, "-o and --no-pictures need --html")
		}
		return exportLines(cmd.Context(), env, client, id, o)
	})

	cmd.Flags().StringVar(&o.since, "since", "", sinceHelp)
	cmd.Flags().StringVar(&o.session, "session", "", "only this session (cove journal sessions lists them)")
	cmd.Flags().BoolVar(&o.html, "html", false, "one HTML file that replays the steps")
	cmd.Flags().StringVarP(&o.output, "output", "o", "", "write the HTML file here, not to standard output")
	cmd.Flags().BoolVar(&o.noPictures, "no-pictures", false, "leave the screenshots out of the HTML file")
	return cmd
}

// exportLines writes entries as they were recorded.
func exportLines(
	ctx context.Context, env *command.Env, client *api.Client, id profile.ID, o exportOptions,
) (err error) {
	q := api.JournalQuery{Limit: api.MaxJournal, Session: o.session}
	if q.Since, err = parseSince(o.since, time.Now()); err != nil {
		return err
	}
	for {
		found, err := client.Journal(id).Read(ctx, q)
		if err != nil || len(found.Data) == 0 {
			return err
		}
		for i, raw := range found.Data {
			found.Data[i] = api.RecordedEntry(raw)
		}
		if err := printRaw(env.Out, found.Data); err != nil {
			return err
		}
		q.After = lastOf(found.Data)
	}
}

// exportHTML writes the replay file.
func exportHTML(ctx context.Context, env *command.Env, client *api.Client, id profile.ID, o exportOptions) error {
	file, err := client.Journal(id).Export(ctx, o.session, !o.noPictures)
	if err != nil {
		return err
	}
	if o.output == "" {
		_, err := env.Out.Write(file)
		return err
	}
	if err := paths.WriteFile(o.output, file); err != nil {
		return fault.New(fault.CodeNoFile, fmt.Sprintf("The file %q cannot be written.", o.output),
			"Check its path.").Because(err)
	}
	fmt.Fprintf(env.Out, "Saved to %s. Open it in a browser; it needs no network.\n", o.output)
	return nil
}

// parseSince parses a time, a date or a duration before now. An empty text is the zero time.
func parseSince(text string, now time.Time) (time.Time, error) {
	if text == "" {
		return time.Time{}, nil
	}
	if d, err := time.ParseDuration(text); err == nil {
		return now.Add(-d), nil
	}
	if t, err := time.ParseInLocation(time.DateOnly, text, time.Local); err == nil {
		return t, nil
	}
	t, err := time.Parse(time.RFC3339, text)
	if err != nil {
		return t, fault.Invalidf("%q is not a time.", text).
			WithHint("Use a date (2026-03-05), a time (2026-03-05T08:00:00Z) or a duration (24h).")
	}

	return t, nil
}
