package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"cove/api"
	"cove/internal/chromium"
)

// The drivers, in the order of the columns.
const (
	covePage = iota
	agentBrowserCLI
	playwrightCLI
	coveMCP
	drivers
)

const (
	errandRounds = 5
	// stepRounds is how often a single command is timed.
	stepRounds = 20
)

// driver is one way for an agent to use a browser. Each has a browser, a folder and a site of its own.
type driver struct {
	column int
	name   string
	env    []string
	dir    string
	site   *errandSite
	// ref is how an answer names an element; role and name are put into it. mark stands before a ref in a command.
	ref, mark string
	begin     string // a command that starts the driver's browser, and is not measured
	end       string
	forget    string   // a command that makes it forget the rounds before, which no agent would read; not measured
	tabs      []string // a single command that lists the tabs
	look      []string // a single command that reads a page
	peer      *peer    // of a driver that is no command
}

// shells lets agents in shells, and one with tools, do the same tasks in turns, and compares what they need for them.
func shells(ctx context.Context, a *app, dir string) error {
	all, err := newDrivers(ctx, a, dir)
	if err != nil {
		return err
	}
	defer func() {
		for _, d := range all {
			d.close(context.WithoutCancel(ctx))
		}
	}()
	for _, d := range all {
		if err := d.open(ctx); err != nil {
			return fmt.Errorf("%s: %w", d.name, err)
		}
	}

	b := &bout{all: all}
	order := rand.New(rand.NewPCG(1, 2)) // the same in every run
	for round := range errandRounds + 1 {
		for i, e := range errands {
			for _, k := range order.Perm(len(all)) {
				if ctx.Err() != nil {
					return ctx.Err()
				}
				t := all[k].do(ctx, e)
				if round > 0 { // the first is for warming up
					b.trips[i][k] = append(b.trips[i][k], t)
				}
				wait(ctx, pause)
			}
		}
	}
	if err := b.times(ctx, order); err != nil {
		return err
	}
	if err := b.price(ctx); err != nil {
		return err
	}
	b.print()
	return b.transcribe(os.Getenv("TRANSCRIPT"))
}

// newDrivers makes the drivers, with the browser that Cove uses.
func newDrivers(ctx context.Context, a *app, dir string) ([]*driver, error) {
	browser, err := chromium.Find(ctx)
	if err != nil {
		return nil, err
	}
	bin := filepath.Join(dir, "bin")
	if err := linkPrograms(bin, a.cmd.Path); err != nil {
		return nil, err
	}
	flags := quiet
	if chromium.NoSandbox(browser.Path) != "" {
		flags = append([]string{"--no-sandbox"}, quiet...)
	}
	launch := object{"executablePath": browser.Path, "headless": true, "chromiumSandbox": false, "args": flags}
	config, err := json.Marshal(object{"browser": object{"browserName": "chromium", "launchOptions": launch}})
	if err != nil {
		return nil, err
	}
	mine, err := a.Profiles().Create(ctx, api.ProfileInput{Name: ptr("shell bench")})
	if err != nil {
		return nil, err
	}

	all := driversOf(a.home, browser.Path, flags)
	for i, d := range all {
		d.column, d.site = i, newErrandSite()
		d.dir = filepath.Join(dir, fmt.Sprint("shell", i))
		if err := d.makeFolder(config); err != nil {
			return nil, err
		}
		d.env = append(d.env, "HOME="+d.dir, "PATH="+bin+string(filepath.ListSeparator)+os.Getenv("PATH"))
	}
	if _, err := a.Start(ctx, mine.ID, api.StartOptions{Automation: true}); err != nil {
		return nil, err
	}
	command := []string{a.cmd.Path, "mcp", fmt.Sprint(mine.ID), "--home", a.home}
	all[coveMCP].peer, _, err = spawn(ctx, command, nil, all[coveMCP].dir)
	return all, err
}

// linkPrograms puts the programs of the drivers into one folder, which their shells search.
func linkPrograms(bin, cove string) error {
	modules, err := modulesOf("bench")
	if err != nil {
		return err
	}
	if err := os.MkdirAll(bin, 0o700); err != nil {
		return err
	}
	for name, program := range map[string]string{
		"cove":           cove,
		"agent-browser":  filepath.Join(modules, "agent-browser/bin/agent-browser-linux-x64"),
		"playwright-cli": filepath.Join(modules, "@playwright/cli/playwright-cli.js"),
	} {
		if err := errors.Join(os.Chmod(program, 0o755), os.Symlink(program, filepath.Join(bin, name))); err != nil {
			return err
		}
	}
	return nil
}

// driversOf returns the drivers in the order of their columns. home is that of Cove, flags are those of the browser.
func driversOf(home, browser string, flags []string) []*driver {
	return []*driver{
		covePage: {
			name: "cove page", begin: "cove page use 1 && cove page open about:blank",
			env:  []string{"COVE_HOME=" + home, "COVE_AGENT=bench", "COVE_SESSION=1"},
			ref:  `(?m)\b([a-z]+\d+) (?:%[1]s )?"%[2]s"`,
			tabs: []string{"cove", "page", "tabs"}, look: []string{"cove", "page", "snapshot"},
		},
		agentBrowserCLI: {
			name: "agent-browser 0.41.1", begin: "agent-browser open about:blank", end: "agent-browser close",
			forget: "agent-browser console --clear; agent-browser network requests --clear",
			env: []string{"AGENT_BROWSER_SESSION=bench", "AGENT_BROWSER_EXECUTABLE_PATH=" + browser,
				"AGENT_BROWSER_ARGS=" + strings.Join(flags, ",")},
			ref: `(?m)- %[1]s "%[2]s".*?\bref=(\w+)`, mark: "@",
			tabs: []string{"agent-browser", "tab"}, look: []string{"agent-browser", "snapshot"},
		},
		playwrightCLI: {
			name: "@playwright/cli 0.1.22", begin: "playwright-cli open", end: "playwright-cli close",
			ref:  `(?m)- %[1]s "%[2]s".*?\[ref=(\w+)\]`,
			tabs: []string{"playwright-cli", "tab-list"}, look: []string{"playwright-cli", "--raw", "snapshot"},
		},
		coveMCP: {name: "cove mcp", ref: `(?m)(?:uid=(\S+) %[1]s|\b([a-z]+\d+)) "%[2]s"`},
	}
}

// makeFolder makes the driver's folder, with the file for its upload. config is for the driver that reads one there.
func (d *driver) makeFolder(config []byte) error {
	if err := os.MkdirAll(filepath.Join(d.dir, ".playwright"), 0o700); err != nil {
		return err
	}
	for name, text := range map[string]string{
		"contract.txt": "a contract", ".playwright/cli.config.json": string(config),
	} {
		if err := os.WriteFile(filepath.Join(d.dir, name), []byte(text), 0o600); err != nil {
			return err
		}
	}
	return nil
}

func (d *driver) open(ctx context.Context) error {
	if d.begin == "" {
		return nil
	}
	out, err := d.command(ctx, "sh", "-c", d.begin).CombinedOutput()
	if err != nil {
		return fmt.Errorf("%w: %s", err, out)
	}
	return nil
}

func (d *driver) close(ctx context.Context) {
	if d.end != "" {
		_ = d.command(ctx, "sh", "-c", d.end).Run()
	}
	if d.peer != nil {
		d.peer.close()
	}
	d.site.Close()
}

// command makes a command of the agent's shell.
func (d *driver) command(ctx context.Context, name string, args ...string) *exec.Cmd {
	program := name
	if at, err := exec.LookPath(filepath.Join(filepath.Dir(d.dir), "bin", name)); err == nil {
		program = at
	}
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Dir = d.dir
	for _, kv := range append(os.Environ(), d.env...) {
		if !strings.HasPrefix(kv, "NODE_EXTRA_CA_CERTS=") { // costs each Node a fixed time that is not the driver's
			cmd.Env = append(cmd.Env, kv)
		}
	}
	return cmd
}

// errandTrip is what one driver needed for one errand.
type errandTrip struct {
	done          bool
	why           string // it is not done
	written, read []string
	duration      time.Duration
	tokens        [2]float64 // written and read
}

// do does an errand, and asks the site and the disk whether it is done. What a driver says of itself does not count.
func (d *driver) do(ctx context.Context, e errand) (t errandTrip) {
	t.done = true
	if d.forget != "" {
		_ = d.command(ctx, "sh", "-c", d.forget).Run()
	}
	for _, line := range e.commands[d.column] {
		line, err := d.complete(line, t.read)
		if err != nil {
			t.done, t.why = false, err.Error()
			break
		}
		began := time.Now()
		out := d.say(ctx, line)
		t.duration += time.Since(began)
		t.written, t.read = append(t.written, line), append(t.read, out)
	}

	all := strings.Join(t.read, "\n")
	if !d.site.saw(ctx, e.saw...) {
		t.done, t.why = false, t.why+" The site saw something else."
	}
	for _, want := range e.want {
		if !strings.Contains(all, want) {
			t.done, t.why = false, t.why+" It did not read "+want+"."
		}
	}
	if e.file != "" && !d.has(all, e.file) {
		t.done, t.why = false, t.why+" The file is not there."
	}
	return t
}

// say runs a line of an errand and returns what the agent reads of it. A failure is something to read, too.
func (d *driver) say(ctx context.Context, line string) string {
	if d.peer == nil {
		out, err := d.command(ctx, "sh", "-c", line).CombinedOutput()
		if err != nil && len(out) == 0 {
			return err.Error()
		}
		return string(out)
	}
	c := call{arguments: object{}}
	tool, arguments, _ := strings.Cut(line, " ")
	c.tool = tool
	if err := json.Unmarshal([]byte(arguments), &c.arguments); err != nil {
		return err.Error()
	}
	text, _, err := d.peer.answer(c)
	if err != nil {
		return err.Error()
	}
	return text
}

// standsFor matches what stands in a line for something that the agent has read: <role name> or </pattern/>.
var standsFor = regexp.MustCompile(`<(?:/(.+?)/|(\w+) ([^>]+))>`)

// complete puts what the agent has read into a line.
func (d *driver) complete(line string, read []string) (string, error) {
	var missing error
	line = strings.ReplaceAll(line, "SITE", d.site.URL)
	line = standsFor.ReplaceAllStringFunc(line, func(mark string) string {
		m := standsFor.FindStringSubmatch(mark)
		pattern, before := m[1], ""
		if pattern == "" {
			pattern, before = fmt.Sprintf(d.ref, m[2], regexp.QuoteMeta(m[3])), d.mark
		}
		for i := len(read) - 1; i >= 0; i-- {
			if found := regexp.MustCompile(pattern).FindStringSubmatch(read[i]); found != nil {
				return before + strings.Join(found[1:], "")
			}
		}
		missing = fmt.Errorf("it has read no %s", mark)
		return ""
	})
	return line, missing
}

// has reports whether the file that a pattern finds in a text is the invoice, and removes it.
func (d *driver) has(text, pattern string) bool {
	for _, name := range regexp.MustCompile(pattern).FindAllString(text, -1) {
		if !filepath.IsAbs(name) {
			name = filepath.Join(d.dir, name)
		}
		if raw, err := os.ReadFile(name); err == nil && string(raw) == invoiceText {
			return os.Remove(name) == nil
		}
	}
	return false
}
