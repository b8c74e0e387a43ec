package verify

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"cove/api"
)

// trial is a run of the procedure against the fakes.
type trial struct {
	*Procedure
	t   *testing.T
	app *fakeApp
	// exited is the server's, once it was started.
	exited <-chan struct{}
	// began is called with the name of each step.
	began func(name string)
}

func newTrial(t *testing.T, does ...string) *trial {
	t.Helper()
	app := newFakeApp(t)
	x := &trial{t: t, app: app, began: func(string) {}}
	x.Procedure = &Procedure{
		App: &api.Client{Base: app.server.URL, Token: "secret"}, ID: 7, Folder: app.folder,
		Server: app.program(does...), limits: patient(),
		Began: func(name string) { x.began(name) },
		Ended: func(Step) {
			if x.server != nil {
				x.exited = x.server.Done()
			}
		},
	}

	return x
}

// run goes through the procedure and checks that it leaves no server behind, and no open profile.
func (x *trial) run(ctx context.Context) ([]Step, error) {
	x.t.Helper()
	steps, err := x.Run(ctx)
	if x.exited != nil {
		select {
		case <-x.exited:
		default:
			x.t.Error("the server is still there")
		}
		if x.app.isOpen() && len(x.app.remains) == 0 && !x.app.refuses["stop"] {
			x.t.Error("the profile is still open")
		}
	}

	return steps, err
}

func TestAProfileThatWorksPassesEveryStep(t *testing.T) {
	t.Parallel()
	for _, does := range []string{"", "asks first", "leaves a child", "warns=experimental"} {
		x := newTrial(t, does)
		var began []string
		x.began = func(name string) { began = append(began, name) }
		x.More = []Extra{{Name: "one more", Do: func(context.Context) (string, error) { return "as wanted", nil }}}
		steps, err := x.run(context.Background())
		if err != nil {
			t.Errorf("%q: %v", does, err)
		}

		var got []string
		for _, s := range steps {
			if !s.OK || s.Error != "" {
				t.Errorf("%q: %+v", does, s)
			}
			got = append(got, s.Name+": "+s.Detail)
		}
		want := []string{
			"Close the profile: ",
			"Start the MCP server: " + x.Server.Command[0],
			fmt.Sprintf("The profile opens by itself: port %d", x.app.port),
			"initialize: protocol 2025-06-18",
			"tools/list: 2 tools",
			"list_pages shows the profile's tabs: 2 tabs",
			"End the client: ",
			"The profile is still open: ",
			"Stop the profile: ",
			"Port and DevToolsActivePort are gone: ",
			"one more: as wanted",
		}
		if strings.Join(got, "\n") != strings.Join(want, "\n") {
			t.Errorf("%q: the steps were\n%s", does, strings.Join(got, "\n"))
		}
		if len(began) != len(want) {
			t.Errorf("%q: began %q", does, began)
		}
	}
}

// TestEachStepFailsWithItsSentence: the run stops at the step that failed, and the sentence says what was wrong there.
func TestEachStepFailsWithItsSentence(t *testing.T) {
	t.Parallel()
	refuse := func(call string) func(*trial) { return func(x *trial) { x.app.refuses[call] = true } }
	remain := func(what string) func(*trial) { return func(x *trial) { x.app.remains[what] = true } }
	list := func(text string) func(*trial) { return func(x *trial) { x.app.list = text } }
	for _, c := range []struct {
		name, does string
		change     func(*trial)
		step       string
		// want is the sentence; PORT and FILE stand for the gate's port and the file of the port.
		want string
	}{
		{"the app refuses to stop it", "", refuse("stop"), "Close the profile", "The app does not stop it. Ask again."},
		{"there is no app", "", func(x *trial) { x.app.server.Close() }, "Close the profile",
			"the app does not answer: …"},
		{"there is no such program", "",
			func(x *trial) { x.Server.Command = []string{filepath.Join(t.TempDir(), "none")} },
			"Start the MCP server", "…"},
		{"the server dies at once", "dies at once", nil, "The profile opens by itself",
			"the MCP server ended by itself: It failed. Do that."},
		{"the server says why it opens nothing", "opens nothing;fails at=initialize", nil,
			"The profile opens by itself",
			"Profile 7 is in use."},
		{"the server and the app say why", "opens nothing;fails at=initialize", refuse("start"),
			"The profile opens by itself", "Profile 7 is in use."},
		{"the server prints rubbish and opens nothing", "opens nothing;prints=Hello!", nil,
			"The profile opens by itself",
			"a line on stdout is not MCP: Hello!"},
		{"the app does not say what is open", "", refuse("running"), "The profile opens by itself",
			"The app does not running it. Ask again."},
		{"the server prints rubbish", "prints=" + strings.Repeat("rubbish", 40), nil, "initialize",
			"a line on stdout is not MCP: " + strings.Repeat("rubbish", 28) + "rub…"},
		{"the server refuses initialize", "fails at=initialize", nil, "initialize", "Profile 7 is in use."},
		{"the server dies at initialize", "dies at=initialize", nil, "initialize",
			"the MCP server ended by itself: out of luck"},
		{"the server dies at tools/list", "dies at=tools/list", nil, "tools/list",
			"the MCP server ended by itself: out of luck"},
		{"the server refuses tools/list", "fails at=tools/list", nil, "tools/list", "Profile 7 is in use."},
		{"the server prints rubbish at tools/list", "prints at=tools/list", nil, "tools/list",
			"a line on stdout is not MCP: Debugger attached."},
		{"the tools are others", "has the tools=click fill", nil, "tools/list", "none of the 2 tools is list_pages"},
		{"there are no tools", "has the tools=", nil, "tools/list", "none of the 0 tools is list_pages"},
		{"the server dies at list_pages", "dies at=tools/call", nil, "list_pages shows the profile's tabs",
			"the MCP server ended by itself: out of luck"},
		{"list_pages fails", "fails to show;shows=no browser", nil, "list_pages shows the profile's tabs",
			"list_pages failed: ## Pages\nno browser"},
		{"the profile has no tab", "", list("[]"), "list_pages shows the profile's tabs", "the profile has no tab"},
		{"the gate says no list", "", list("nothing"), "list_pages shows the profile's tabs",
			"read the profile's tabs: …"},
		{"the profile closes with its client", "closes the profile", nil, "The profile is still open",
			"the profile closed with its client"},
		{"the file of the port stays", "", remain("file"), "Port and DevToolsActivePort are gone",
			"FILE is still there"},
		{"the port stays", "", remain("port"), "Port and DevToolsActivePort are gone", "port PORT still answers"},
		{"a step of the caller's fails", "", func(x *trial) {
			fails := func(context.Context) (string, error) { return "", errors.New("not listed") }
			x.More = []Extra{{Name: "one more", Do: fails}}
		}, "one more", "not listed"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			x := newTrial(t, c.does)
			if c.change != nil {
				c.change(x)
			}
			steps, err := x.run(context.Background())
			x.failed(steps, err, c.step, c.want)
		})
	}
}

// failed checks the step that a run stopped at, and its sentence.
func (x *trial) failed(steps []Step, err error, step, want string) {
	x.t.Helper()
	if err == nil || len(steps) == 0 {
		x.t.Fatalf("%v, %v", steps, err)
	}
	want = strings.NewReplacer("PORT", fmt.Sprint(x.app.port), "FILE", x.app.folder.ActivePort()).Replace(want)
	last := steps[len(steps)-1]
	begins, cut := strings.CutSuffix(want, "…")
	matches := last.Error == want || cut && strings.HasPrefix(last.Error, begins)
	if last.OK || last.Name != step || !matches {
		x.t.Errorf("stopped at %q: %q", last.Name, last.Error)
	}
	for _, s := range steps[:len(steps)-1] {
		if !s.OK {
			x.t.Errorf("went on after %+v", s)
		}
	}
}

// TestWhatTheAppRefusesIsKnown although a server can only report it in words: the command line shows the app's hint.
func TestWhatTheAppRefusesIsKnown(t *testing.T) {
	t.Parallel()
	x := newTrial(t, "opens nothing;fails at=initialize")
	x.app.refuses["start"] = true
	_, err := x.run(context.Background())
	var f *api.Failure
	if !errors.As(err, &f) || f.Body.ErrorObject.Code != "E_FAKE" || err.Error() != "Profile 7 is in use." {
		t.Errorf("%v, %v", err, f)
	}
}

// TestAServerThatIsLate fails the step whose limit it reaches, with what it said last.
func TestAServerThatIsLate(t *testing.T) {
	t.Parallel()
	const brief = 3 * time.Second // is long enough for a process to start
	for _, c := range []struct {
		name, does string
		limits     func(*limits)
		step, want string
	}{
		{"to open the profile", "opens nothing;warns=still fetching;silent at=initialize",
			func(l *limits) { l.first = brief }, "The profile opens by itself",
			"the profile did not open: still fetching"},
		{"with initialize", "warns=still fetching;silent at=initialize", func(l *limits) { l.first = brief },
			"initialize", "initialize was not answered in time: still fetching"},
		{"with tools/list", "silent at=tools/list", func(l *limits) { l.step = brief },
			"tools/list", "tools/list was not answered in time"},
		{"with list_pages", "silent at=tools/call", func(l *limits) { l.step = brief },
			"list_pages shows the profile's tabs", "tools/call was not answered in time"},
		{"to show all tabs", "shows=1: https://a.example/", func(l *limits) { l.pages = time.Nanosecond },
			"list_pages shows the profile's tabs",
			"the profile has a tab with https://b.example/x, and list_pages does not show it"},
		{"to end", "stays", func(l *limits) { l.server.Exit = time.Nanosecond },
			"End the client", "the MCP server did not end with its client and was killed"},
		{"to end after SIGTERM", "stays;ignores SIGTERM",
			func(l *limits) { l.server.Exit, l.server.Kill = time.Nanosecond, time.Nanosecond }, "End the client",
			"the MCP server did not end with its client and was killed"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			x := newTrial(t, c.does)
			c.limits(&x.limits)
			steps, err := x.run(context.Background())
			x.failed(steps, err, c.step, c.want)
		})
	}
}

// TestARunThatItsCallerGivesUp ends at once, at whatever step it is, and cleans up.
func TestARunThatItsCallerGivesUp(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ does, step string }{
		{"", "Close the profile"},
		{"opens nothing;silent at=initialize", "The profile opens by itself"},
		{"silent at=initialize", "initialize"},
		{"silent at=tools/list", "tools/list"},
		{"silent at=tools/call", "list_pages shows the profile's tabs"},
		{"shows=nothing", "list_pages shows the profile's tabs"},
		{"", "The profile is still open"},
	} {
		t.Run(c.does+" "+c.step, func(t *testing.T) {
			t.Parallel()
			x := newTrial(t, c.does)
			ctx, cancel := context.WithCancel(context.Background())
			defer cancel()
			x.began = func(name string) {
				if name == c.step {
					cancel()
				}
			}
			steps, err := x.run(ctx)
			if !errors.Is(err, context.Canceled) || len(steps) == 0 || steps[len(steps)-1].Name != c.step {
				t.Errorf("%v, %v", steps, err)
			}
		})
	}
}

func TestTheUsualLimitsAreThoseOfARunWithoutAny(t *testing.T) {
	t.Parallel()
	x := newTrial(t)
	x.limits = limits{}
	if _, err := x.run(context.Background()); err != nil || x.limits != usualLimits() {
		t.Errorf("%v, %+v", err, x.limits)
	}
}
