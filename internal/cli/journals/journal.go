// Package journals has `cove journal`.
package journals

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"cove/api"
	"cove/internal/cli/command"
	"cove/internal/fault"
	"cove/internal/profile"
	"cove/internal/wording"
)

// Command returns `cove journal`.
func Command(env *command.Env) *cobra.Command {
	return command.Group(&cobra.Command{Use: "journal", Short: "See what agents did in a profile",
		Example: `  cove journal show work --follow
  cove journal export work --since 24h > work.jsonl
  cove journal verify work`},
		showCommand(env), exportCommand(env), verifyCommand(env))
}

// followPause is the time between two requests for new entries.
const followPause = 500 * time.Millisecond

func showCommand(env *command.Env) *cobra.Command {
	q := api.JournalQuery{Newest: true}
	var follow bool
	cmd := &cobra.Command{Use: "show ID", Short: "Show what agents did last", Args: command.Exactly(1)}
	cmd.RunE = env.OnProfile(false, func(cmd *cobra.Command, client *api.Client, id profile.ID) error {
		if q.Limit < 1 || q.Limit > api.MaxJournal {
			return fault.Invalidf("You can show 1 to %d entries.", api.MaxJournal)
		}
		found, err := client.Journal(cmd.Context(), id, q)
		if err != nil {
			return err
		}
		slices.Reverse(found)
		if len(found) == 0 && !follow && !env.JSON {
			if q.Agent != "" || q.Outcome != "" {
				fmt.Fprintln(env.Out, "No matching entries.")
			} else {
				fmt.Fprintln(env.Out, "No agent has worked in this profile yet.")
			}
			return nil
		}
		if err := printEntries(env, found, true); err != nil || !follow {
			return err
		}

		return followJournal(cmd.Context(), env, client, id, q, lastOf(found))
	})

	cmd.Flags().IntVar(&q.Limit, "limit", 50, "number of entries")
	cmd.Flags().StringVar(&q.Agent, "agent", "", "only agents whose name contains this")
	cmd.Flags().StringVar(&q.Outcome, "outcome", "", "only this outcome: ok, error or refused")
	cmd.Flags().BoolVar(&follow, "follow", false, "wait for new entries until Ctrl-C")
	return env.WithJSON(cmd)
}

// followJournal prints the entries after the given one until ctx ends.
func followJournal(ctx context.Context, env *command.Env, client *api.Client, id profile.ID, q api.JournalQuery,
	after int64) error {
	q.Newest, q.Limit = false, api.MaxJournal
	for {
		q.After = after
		found, err := client.Journal(ctx, id, q)
		switch {
		case err != nil && ctx.Err() == nil:
			return err
		case len(found) > 0:
			if err := printEntries(env, found, false); err != nil {
				return err
			}
			after = lastOf(found)
			continue
		}
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(followPause):
		}
	}
}

func lastOf(entries []json.RawMessage) int64 {
	var e api.JournalEntry
	if len(entries) > 0 {
		_ = json.Unmarshal(entries[len(entries)-1], &e)
	}
	return e.Seq
}

// printEntries prints a table, or the entries themselves for --json.
func printEntries(env *command.Env, entries []json.RawMessage, titled bool) error {
	if env.JSON {
		return printRaw(env.Out, entries)
	}
	t := command.Columns(env.Out)
	if titled {
		t = command.Table(env.Out, "TIME", "AGENT", "STEP", "PAGE", "OUTCOME", "MS")
	}
	for _, raw := range entries {
		var e api.JournalEntry
		if err := json.Unmarshal(raw, &e); err != nil {
			return err
		}
		outcome := e.Outcome
		if e.Reason != "" {
			outcome += ": " + shown(e.Reason, 120)
		}
		command.Row(t, e.Time.Local().Format(time.DateTime), shown(agentName(e.Agent), 40), shown(e.Name, 40),
			shown(e.Page, 60), outcome, strconv.FormatFloat(e.MS, 'f', -1, 64))
	}

	return t.Flush()
}

func agentName(a api.JournalAgent) string {
	name := strings.TrimSpace(a.Name + " " + a.Version)
	if a.PID != 0 {
		name += " (process " + strconv.Itoa(a.PID) + ")"
	}
	return name
}

// shown makes a text of others fit a cell. It replaces control characters, so that the terminal obeys none of them.
func shown(s string, most int) string {
	plain := strings.Map(func(r rune) rune {
		if r < ' ' || (r >= 0x7f && r < 0xa0) {
			return ' '
		}
		return r
	}, s)
	return wording.Shorten(plain, most)
}

func printRaw(w io.Writer, entries []json.RawMessage) error {
	for _, raw := range entries {
		if _, err := w.Write(append(raw[:len(raw):len(raw)], '\n')); err != nil {
			return err
		}
	}
	return nil
}

func exportCommand(env *command.Env) *cobra.Command {
	var since string
	cmd := &cobra.Command{Use: "export ID", Short: "Export the journal as JSON lines",
		Long: `Write the journal to standard output, one JSON object per line, oldest first.

Lines are exactly as they were recorded: hash is the SHA-256 of the line's bytes before ,"hash" and
prev is the hash of the previous line.`, Args: command.Exactly(1)}
	cmd.RunE = env.OnProfile(false, func(cmd *cobra.Command, client *api.Client, id profile.ID) error {
		q := api.JournalQuery{Limit: api.MaxJournal}
		var err error
		if q.Since, err = parseSince(since, time.Now()); err != nil {
			return err
		}
		for {
			found, err := client.Journal(cmd.Context(), id, q)
			if err != nil || len(found) == 0 {
				return err
			}
			if err := printRaw(env.Out, found); err != nil {
				return err
			}
			q.After = lastOf(found)
		}
	})

	cmd.Flags().StringVar(&since, "since", "",
		"only entries after a time (2026-03-05, 2026-03-05T08:00:00Z) or of the last 24h")
	return cmd
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

func verifyCommand(env *command.Env) *cobra.Command {
	cmd := &cobra.Command{Use: "verify ID", Short: "Verify that the journal was not changed",
		Long: `Verify that no entry and no screenshot in the journal was changed, removed, added or moved.
Exits 0 if the journal is intact and 1 if it is not.`, Args: command.Exactly(1)}
	cmd.RunE = env.OnProfile(false, func(cmd *cobra.Command, client *api.Client, id profile.ID) error {
		r, err := client.VerifyJournal(cmd.Context(), id)
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

	return env.WithJSON(cmd)
}
