//go:build e2e

package harness

import (
	"bytes"
	"encoding/json"
	"errors"
	"net/http"
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"cove/api"
)

// Shell is an agent that runs `cove page` in a shell, one process for each step.
type Shell struct {
	T   *testing.T
	App *App
	Dir string
	Env []string // who the agent is
}

// Printed is what a command has printed, and its exit code.
type Printed struct {
	Out, Err string
	Code     int
}

// Shell returns an agent of this name with a session and a folder of its own.
func (a *App) Shell(name, session string) *Shell {
	return &Shell{a.T, a, a.T.TempDir(), []string{"COVE_AGENT=" + name, "COVE_SESSION=" + session}}
}

// Try runs `cove page` with these words.
func (s *Shell) Try(words ...string) Printed { return s.run("", append([]string{"page"}, words...)...) }

// Call runs `cove call` with these words.
func (s *Shell) Call(words ...string) Printed {
	return s.run("", append([]string{"call"}, words...)...)
}

// Script runs a script of bash in which `cove` is the program.
func (s *Shell) Script(script string) Printed {
	cmd := Exec(s.T, "bash", "-c", "cove() { "+Cove+` "$@"; }`+"\n"+script)
	return s.finish(cmd)
}

func (s *Shell) run(in string, words ...string) Printed {
	cmd := Exec(s.T, Cove, words...)
	cmd.Stdin = strings.NewReader(in)
	return s.finish(cmd)
}

func (s *Shell) finish(cmd *exec.Cmd) Printed {
	var out, errs bytes.Buffer
	cmd.Env, cmd.Dir, cmd.Stdout, cmd.Stderr = append(s.App.Environ(), s.Env...), s.Dir, &out, &errs
	err := cmd.Run()
	p := Printed{Out: out.String(), Err: errs.String()}
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		p.Code = exit.ExitCode()
	} else if err != nil {
		s.T.Error(err)
	}
	return p
}

// Does runs a step that works, and returns what it prints.
func (s *Shell) Does(words ...string) string {
	s.T.Helper()
	p := s.Try(words...)
	if p.Code != 0 {
		s.T.Fatalf("cove page %s: exit code %d\n%s%s", strings.Join(words, " "), p.Code, p.Out, p.Err)
	}
	return p.Out
}

// Fails runs a step that ends with this exit code and says these words.
func (s *Shell) Fails(code int, say string, words ...string) {
	s.T.Helper()
	p := s.Try(words...)
	if p.Code != code || !strings.Contains(p.Err, say) {
		s.T.Errorf("cove page %s: exit code %d, not %d with %q\n%s%s",
			strings.Join(words, " "), p.Code, code, say, p.Out, p.Err)
	}
}

// Ref returns the ref of the element whose line in a snapshot holds these words.
func (s *Shell) Ref(line string) string {
	s.T.Helper()
	text := s.Does("snapshot")
	for _, one := range strings.Split(text, "\n") {
		if m := refLine.FindStringSubmatch(one); m != nil && strings.Contains(one, line) {
			return m[1]
		}
	}
	s.T.Fatalf("no %s in\n%s", line, text)
	return ""
}

var refLine = regexp.MustCompile(`^ +([a-z]+[0-9]+) `)

// JSON runs a step with --json and reads what it prints.
func (s *Shell) JSON(out any, words ...string) int {
	s.T.Helper()
	p := s.Try(append(words, "--json")...)
	if err := json.Unmarshal([]byte(p.Out), out); err != nil {
		s.T.Fatalf("cove page %s: %v\n%s%s", strings.Join(words, " "), err, p.Out, p.Err)
	}
	return p.Code
}

// SendAnswer answers the request with these words as the person.
func (a *App) SendAnswer(what, body string) {
	a.T.Helper()
	var all api.Requests
	Wait(a.T, "the request "+what, func() bool {
		_ = json.Unmarshal([]byte(a.Own(http.MethodGet, "/v1.0/asks", "").Raw), &all)
		return len(all.Data) > 0 && strings.Contains(all.Data[0].What, what)
	})
	if r := a.Own(http.MethodPost, "/v1.0/asks/"+all.Data[0].ID, body); r.Status != http.StatusOK {
		a.T.Errorf("answer %s: %d %s", body, r.Status, r.Raw)
	}
}
