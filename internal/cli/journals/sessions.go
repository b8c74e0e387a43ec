package journals

import (
	"fmt"
	"io"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"cove/api"
	"cove/internal/cli/command"
	"cove/internal/profile"
)

func sessionsCommand(env *command.Env) *cobra.Command {
	cmd := &cobra.Command{Use: "sessions ID", Short: "List the sessions of agents in the journal",
		Long: `List what each agent did between its connection and its leaving, the latest session first.
show and export take the name of a session with --session.`, Args: command.Exactly(1)}
	cmd.RunE = env.OnProfile(false, func(cmd *cobra.Command, client *api.Client, id profile.ID) error {
		all, err := client.Journal(id).Sessions(cmd.Context())
		if err != nil {
			return err
		}
		return env.Print(api.JournalSessions{Data: all}, func(w io.Writer) { writeSessions(w, all) })
	})
	return env.WithJSON(cmd)
}

func writeSessions(w io.Writer, all []api.JournalSession) {
	if len(all) == 0 {
		fmt.Fprintln(w, "No agent has worked in this profile yet.")
		return
	}
	t := command.Table(w, "SESSION", "AGENT", "FIRST", "LAST", "STEPS", "ACTIONS", "FAILED", "DENIED")
	for _, s := range all {
		command.Row(t, s.Session, shown(agentName(s.Agent), 40), s.First.Local().Format(time.DateTime),
			s.Last.Local().Format(time.DateTime), strconv.Itoa(s.Steps), strconv.Itoa(s.Acts),
			strconv.Itoa(s.Failed), strconv.Itoa(s.Refused))
	}
	_ = t.Flush()
}
