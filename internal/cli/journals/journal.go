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
  cove journal sessions work
  cove journal export work --html -o work.html
  cove journal verify work`},
		showCommand(env), sessionsCommand(env), exportCommand(env), verifyCommand(env))
}

// followPause is the time between two requests for new entries.
const followPause = 500 * time.Millisecond

func showCommand(env *command.Env) *cobra.Command {
	q := api.JournalQuery{Newest: true, Steps: true}
	var follow bool
	var since string
	cmd := &cobra.Command{Use: "show ID", Short: "Show what agents did last", Args: command.Exactly(1)}
	cmd.RunE = env.OnProfile(false, func(cmd *cobra.Command, client *api.Client, id profile.ID) (err error) {
		if q.Limit < 1 || q.Limit > api.MaxJournal {
			return fault.Invalidf("You can show 1 to %d entries.", api.MaxJournal)
		}
		if q.Since, err = parseSince(since, time.Now()); err != nil {
			return err
		}
		found, err := client.Journal(id).Read(cmd.Context(), q)
		if err != nil {
			return err
		}
		slices.Reverse(found.Data)
		if len(found.Data) == 0 && !follow && !env.JSON {
			if found.Last > 0 {
				fmt.Fprintln(env.Out, "No matching entries.")
			} else {
				fmt.Fprintln(env.Out, "No agent has worked in this profile yet.")
			}
			return nil
		}
		if err := printEntries(env, found.Data, true); err != nil || !follow {
			return err
		}

		return followJournal(cmd.Context(), env, client, id, q, lastOf(found.Data))
	})

	cmd.Flags().IntVar(&q.Limit, "limit", 50, "number of entries")
	cmd.Flags().StringVar(&q.Agent, "agent", "", "only agents whose name contains this")
	cmd.Flags().StringVar(&q.Session, "session", "", "only this session (cove journal sessions lists them)")
	cmd.Flags().StringVar(&q.Kind, "kind", "", "only this kind of steps: act, read, person or note")
	cmd.Flags().StringVar(&q.Outcome, "outcome", "", "only this outcome: ok, error or refused")
	cmd.Flags().StringVar(&q.Text, "search", "", "only steps that contain these words")
	cmd.Flags().StringVar(&since, "since", "", sinceHelp)
	cmd.Flags().BoolVar(&follow, "follow", false, "wait for new entries until Ctrl-C")
	return env.WithJSON(cmd)
}

// followJournal prints the entries after the given one until ctx ends.
func followJournal(ctx context.Context, env *command.Env, client *api.Client, id profile.ID, q api.JournalQuery,
	after int64) error {
	q.Newest, q.Limit = false, api.MaxJournal
	for {
		q.After = after
		found, err := client.Journal(id).Read(ctx, q)
		switch {
		case err != nil && ctx.Err() == nil:
			return err
		case len(found.Data) > 0:
			if err := printEntries(env, found.Data, false); err != nil {
				return err
			}
			after = lastOf(found.Data)
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
		command.Row(t, e.Time.Local().Format(time.DateTime), shown(agentName(e.Agent), 40), shown(e.Text, 160),
			shown(e.Page, 60), e.Outcome, strconv.FormatFloat(e.MS, 'f', -1, 64))
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
