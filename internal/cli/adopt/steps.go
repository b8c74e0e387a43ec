package adopt

import (
	"context"
	"fmt"
	"strings"

	"cove/api"
	"cove/internal/cli/command"
	"cove/internal/paths"
)

// consent is what the person reads before their browser is asked for the first time.
const consent = `Cove will serve the browser you have open. It holds everything you are logged in to.
  %s

The browser asks you once: press Allow. It does not say who asks, so press Cancel if it asks again.
Agents see only the tabs that you share, the tabs that they open, and the tabs that any of these open.
While the box in chrome://inspect/#remote-debugging is ticked, any program here can ask.
To end: cove stop %s, or untick the box.
`

const ctrlC = "Ctrl-C gives up."

// before is what the person reads before the browser asks.
func (t target) before() string {
	if t.profile.OpenedAt != nil && !t.changed {
		return "Connecting to " + t.browser() + ". " + ctrlC
	}
	which := t.browser()
	if folder, ok := strings.CutPrefix(which, "the browser ("); ok { // one that has no name
		which = strings.TrimSuffix(folder, ")")
	}
	return fmt.Sprintf(consent, which, t.word()) + "\n" + ctrlC
}

// printSteps tells the person what the start waits for, until the function that it returns is called.
func (t target) printSteps(ctx context.Context, env *command.Env, c *api.Client) (quiet func()) {
	ctx, end := context.WithCancel(ctx)
	done := make(chan struct{})
	go func() {
		defer close(done)
		last := ""
		_ = c.Events(ctx, func(e api.Event) {
			if e.Session == nil || e.Session.ID != t.profile.ID || e.Session.Step == last {
				return
			}
			last = e.Session.Step
			if text := t.step(last); text != "" {
				fmt.Fprintln(env.Err, env.Advice(text))
			}
		})
	}()
	return func() {
		end()
		<-done
	}
}

// step says what the person has to do.
func (t target) step(step string) string {
	switch step {
	case "no-browser":
		return "Waiting for " + t.browser() + ": it is not running. Open it." + t.others()
	case "switch-off":
		return "In " + t.browser() +
			", type chrome://inspect/#remote-debugging into the address bar and tick the box there."
	case "wait-allow":
		return "Press Allow in " + t.browser() + ", which asks “Allow remote debugging?”."
	case "other-profile":
		return "A window of another profile is in front there. Click a window of " + t.browser() + "."
	}
	return ""
}

// others names the browsers that do run, while the person's is not running.
func (t target) others() (text string) {
	for _, s := range t.sources {
		if s.Open && !paths.Same(s.DataDir, t.profile.External.DataDir) {
			text += fmt.Sprintf("\n%s (%s) is open. To share that one, press Ctrl-C and run: cove adopt NAME --from %s",
				s.Name, s.DataDir, paths.Quote(s.DataDir))
		}
	}
	return text
}
