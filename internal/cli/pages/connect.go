package pages

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"os"
	"strings"
	"syscall"
	"time"

	"cove/api"
	"cove/internal/answer"
	"cove/internal/binding"
	"cove/internal/cli/command"
	"cove/internal/cli/exit"
	"cove/internal/fault"
	"cove/internal/keeperclient"
	"cove/internal/paths"
	"cove/internal/profile"
)

// connection calls the tools of one profile. It opens the profile when it is closed.
type connection struct {
	env  *command.Env
	dir  paths.ProfileDir
	id   profile.ID
	from string // the folder whose binding names the profile; "" for none
}

// connect finds the profile that a command is for: the one that word or else COVE_PROFILE names, the one that the
// folder is bound to, or the only one there is. If the name is a full stop, the folder comes first.
func connect(ctx context.Context, env *command.Env, word string) (*connection, error) {
	home, err := env.HomeDir()
	if err != nil {
		return nil, err
	}
	set := os.Getenv("COVE_PROFILE")
	if word == "" {
		word = set
	}
	dial := func(ctx context.Context) (*api.Client, error) { return env.ClientOrStart(ctx, true) }
	if word != "" && word != "." {
		id, err := command.DialProfileID(ctx, word, dial)
		return &connection{env: env, id: id, dir: home.Profile(id)}, err
	}

	cwd, err := os.Getwd()
	if err != nil {
		return nil, fault.New(fault.CodeNotFound, "The folder of this command is no longer there.",
			"Change to another folder, or name the profile: -p ID").Because(err)
	}
	id, at, bound, err := binding.Open(home).Of(cwd)
	switch {
	case err != nil || bound:
	case set != "" && set != ".":
		id, err = command.DialProfileID(ctx, set, dial)
	default:
		id, err = onlyProfile(ctx, dial)
	}
	return &connection{env: env, id: id, dir: home.Profile(id), from: at}, err
}

// maxListed is how many profiles an error lists.
const maxListed = 20

// onlyProfile returns the only profile there is. Where there are several, nobody chooses one for an agent.
func onlyProfile(ctx context.Context, dial func(context.Context) (*api.Client, error)) (profile.ID, error) {
	client, err := dial(ctx)
	if err != nil {
		return 0, err
	}
	all, err := client.Profiles().List(ctx, url.Values{"limit": {fmt.Sprint(maxListed + 1)}})
	if err != nil {
		return 0, err
	}
	switch len(all.Data) {
	case 1:
		return all.Data[0].ID, nil
	case 0:
		return 0, fault.New(fault.CodeNotFound, "There is no profile.", "Create one: cove profile create NAME")
	}

	var names []string
	for _, p := range all.Data[:min(len(all.Data), maxListed)] {
		names = append(names, p.ID.String()+" "+oneLine(p.Name))
	}
	if len(all.Data) > maxListed {
		names = append(names, "…")
	}
	return 0, fault.Invalidf("Which profile? This folder has none, and there are several: %s.",
		strings.Join(names, ", ")).WithHint("Name it, or choose it for this folder: cove page use ID")
}

// call calls a tool. It opens the profile when nobody has answered; a call that was sent is never sent again.
func (c *connection) call(ctx context.Context, in answer.Call) (answer.Answer, error) {
	a, err := c.send(ctx, in)
	if !notReached(err) {
		return a, c.explain(err)
	}
	if err := keeperclient.CheckClosed(c.dir, c.id, in.Caller()); err != nil {
		return a, err
	}
	if err := c.open(ctx); err != nil {
		return a, err
	}

	late := time.After(openLimit)
	for {
		if a, err = c.send(ctx, in); !notReached(err) {
			return a, c.explain(err)
		}
		select {
		case <-time.After(openPause):
		case <-ctx.Done():
			return a, ctx.Err()
		case <-late:
			return a, fault.New(fault.CodeNoKeeper, "The profile is open, and its keeper does not answer.",
				fmt.Sprintf("Close the profile and try again: cove stop %d", c.id))
		}
	}
}

// openLimit bounds the wait for the keeper of a profile that is open. openPause is the time between two attempts.
const (
	openLimit = 10 * time.Second
	openPause = 20 * time.Millisecond
)

func (c *connection) send(ctx context.Context, in answer.Call) (answer.Answer, error) {
	keeper, err := keeperclient.Recorded(c.dir)
	if err != nil {
		return answer.Answer{}, err
	}
	return keeper.CallTool(ctx, in)
}

// notReached reports whether a call did not reach a keeper: the profile is closed, or nobody listens.
func notReached(err error) bool {
	var sent *url.Error // of the request: the record had named a keeper
	if !errors.As(err, &sent) {
		return errors.Is(err, keeperclient.ErrNotOpen)
	}
	var op *net.OpError
	return errors.As(err, &op) && op.Op == "dial" &&
		!errors.Is(err, syscall.EPERM) && !errors.Is(err, syscall.EACCES)
}

// explain says what a failed call means.
func (c *connection) explain(err error) error {
	var op *net.OpError
	switch {
	case err == nil || fault.KindOf(err) != fault.Internal:
		return err
	case errors.Is(err, context.Canceled):
		return err
	case errors.As(err, &op) && op.Op == "dial":
		return command.Sandboxed()
	}
	return fault.New(fault.CodeCrashed,
		fmt.Sprintf("The browser of profile %d crashed during this step, which may have been done.", c.id),
		"The next command opens the profile again: look at the page before you repeat the step.").Because(err)
}

// open opens the profile for agents. Somebody else may be faster.
func (c *connection) open(ctx context.Context) error {
	client, err := c.env.ClientOrStart(ctx, true)
	if err != nil {
		return err
	}
	if command.Terminal(c.env.Err) != nil {
		fmt.Fprintf(c.env.Err, "Opening profile %d …\n", c.id)
	}
	_, err = client.Start(ctx, c.id, api.StartOptions{Automation: true})
	var f *api.Failure
	switch {
	case !errors.As(err, &f):
		return err
	case f.Body.ErrorObject.Code == fault.CodeBrowserRunDuplicate:
		return nil
	case f.Body.ErrorObject.Code == fault.CodeBrowserOpenOrdinary:
		return exit.Coded{Exit: exit.Unavailable, Fault: fault.New(fault.CodeBrowserOpenOrdinary,
			fmt.Sprintf("The user has profile %d open by hand, so agents cannot use it.", c.id),
			"Tell the user, or use another profile: -p ID")}
	case f.Status == http.StatusNotFound && c.from != "":
		return fault.New(fault.CodeNotFound,
			fmt.Sprintf("There is no profile %d, which the folder %s is bound to.", c.id, c.from),
			"Bind the folder to another one: cove page use ID")
	}
	return err
}
