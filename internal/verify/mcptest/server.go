// Package mcptest is an MCP server for tests: the test program itself, run once more as a child. It works, except for
// what its instructions say.
package mcptest

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"syscall"
	"testing"
	"time"

	"cove/internal/verify/mcpclient"
)

// The variables that make the test program an MCP server, and lead it to the app of the test.
const (
	serverVariable = "VERIFY_TEST_SERVER"
	appVariable    = "VERIFY_TEST_APP"
)

// Main runs the tests of a package. In a child of a test it runs the server instead.
func Main(m *testing.M) {
	if does, ok := os.LookupEnv(serverVariable); ok {
		os.Exit(newServer(does).run())
	}
	os.Exit(m.Run())
}

// OpensNothing is the instruction not to open the profile when the server starts. Servers without an app need it.
const OpensNothing = "opens nothing"

// Program returns the test program as an MCP server with instructions. The server opens the profile by a visit to
// app/test/open.
func Program(app string, does ...string) mcpclient.Program {
	env := append(os.Environ(), serverVariable+"="+strings.Join(does, ";"), appVariable+"="+app,
		"GORACE=atexit_sleep_ms=0")

	return mcpclient.Program{Command: []string{os.Args[0]}, Env: env}
}

type object = map[string]any

// server runs in a process of its own. does has its instructions.
type server struct {
	does []string
	out  *json.Encoder
}

func newServer(does string) *server {
	return &server{strings.Split(does, ";"), json.NewEncoder(os.Stdout)}
}

// says returns the value of an instruction such as "dies at=tools/list". ok is false without it.
func (s *server) says(instruction string) (value string, ok bool) {
	for _, one := range s.does {
		if name, value, _ := strings.Cut(one, "="); name == instruction {
			return value, true
		}
	}

	return "", false
}

func (s *server) has(instruction string) bool {
	_, ok := s.says(instruction)
	return ok
}

func (s *server) run() int {
	if s.has("is an orphan") {
		_ = visit("/test/end") // which is answered when the test ends
		return 0
	}
	if s.has("dies at once") {
		fmt.Fprintln(os.Stderr, "cove: It failed.\n  Do that.")
		return 3
	}
	if s.has("leaves a child") {
		child := exec.CommandContext(context.Background(), os.Args[0])
		child.Env = append(os.Environ(), serverVariable+"=is an orphan")
		child.Stdout = os.Stdout
		if err := child.Start(); err != nil {
			panic(err)
		}
	}
	if words, ok := s.says("warns"); ok {
		fmt.Fprintln(os.Stderr, words)
	}
	if !s.has(OpensNothing) {
		if err := visit("/test/open"); err != nil {
			panic(err)
		}
	}
	if text, ok := s.says("prints"); ok {
		fmt.Println(text)
	}
	if s.has("ignores SIGTERM") {
		signal.Ignore(syscall.SIGTERM)
	}
	if code, done := s.serve(bufio.NewScanner(os.Stdin)); done {
		return code
	}

	// The client is gone.
	if s.has("closes the profile") {
		_ = visit("/v1.0/browser_profiles/7/stop")
	}
	if s.has("stays") {
		<-time.After(time.Hour)
	}

	return 0
}

// serve answers requests. done says that the process is to exit.
func (s *server) serve(in *bufio.Scanner) (code int, done bool) {
	for in.Scan() {
		var m struct {
			ID     int    `json:"id"`
			Method string `json:"method"`
		}
		if err := json.Unmarshal(in.Bytes(), &m); err != nil {
			panic(err)
		}
		if at, _ := s.says("dies at"); at == m.Method {
			fmt.Fprintln(os.Stderr, "out of luck")
			return 1, true
		}
		if at, _ := s.says("silent at"); at == m.Method || m.ID == 0 {
			continue
		}
		if at, _ := s.says("prints at"); at == m.Method {
			fmt.Println("Debugger attached.")
			continue
		}
		if s.has("asks first") && m.Method == "initialize" && !s.query(in) {
			return 4, true
		}
		if at, _ := s.says("fails at"); at == m.Method {
			failure := object{"code": 1, "message": "Profile 7 is in use."}
			_ = s.out.Encode(object{"jsonrpc": "2.0", "id": m.ID, "error": failure})
			continue
		}
		_ = s.out.Encode(object{"jsonrpc": "2.0", "id": m.ID, "result": s.result(m.Method)})
	}

	return 0, false
}

// query sends a notification, an answer to nothing and a request. It reports whether the client refused the request.
func (s *server) query(in *bufio.Scanner) bool {
	_ = s.out.Encode(object{"jsonrpc": "2.0", "method": "notifications/message", "params": object{}})
	_ = s.out.Encode(object{"jsonrpc": "2.0", "id": 99, "result": object{}})
	_ = s.out.Encode(object{"jsonrpc": "2.0", "id": "mine", "method": "roots/list"})
	in.Scan()

	return strings.Contains(in.Text(), `"id":"mine"`) && strings.Contains(in.Text(), "not supported")
}

func (s *server) result(method string) any {
	switch method {
	case "initialize":
		return object{"protocolVersion": "2025-06-18", "capabilities": object{}}
	case "tools/list":
		tools := []object{}
		names, other := s.says("has the tools")
		if !other {
			names = "click list_pages"
		}
		for _, name := range strings.Fields(names) {
			tools = append(tools, object{"name": name})
		}
		return object{"tools": tools}
	}

	text, other := s.says("shows")
	if !other {
		text = "1: https://a.example/ [selected]\n2: https://b.example/x"
	}
	content := []object{{"type": "text", "text": "## Pages"}, {"type": "text", "text": text}}

	return object{"isError": s.has("fails to show"), "content": content}
}

// visit sends a request to the app of the test.
func visit(path string) error {
	req, err := http.NewRequestWithContext(context.Background(), http.MethodGet, os.Getenv(appVariable)+path, nil)
	if err != nil {
		return err
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	defer func() { _ = res.Body.Close() }()
	if _, err := io.Copy(io.Discard, res.Body); err != nil {
		return err
	}
	if res.StatusCode != http.StatusOK {
		return errors.New(res.Status)
	}

	return nil
}
