// Package chromiumtest is a browser for tests of the processes around it. A test binary that calls Main runs itself in
// the browser's stead: it takes the data folder, speaks enough of the protocol on the pipe to count as ready, and exits
// when it is asked to.
package chromiumtest

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
)

// BehaviourEnv names the environment variable that holds a Behaviour.
const BehaviourEnv = "CHROMIUMTEST_BEHAVIOUR"

// Behaviour is how the browser fails; "" means that it works.
type Behaviour string

const (
	// ExitsAtOnce prints a line and ends with code 3 before it takes the data folder.
	ExitsAtOnce Behaviour = "exits-at-once"
	// NeverReady answers no command but Browser.close.
	NeverReady Behaviour = "never-ready"
	// NeverLocks works, but takes no lock of the data folder, as a browser that has only just been started.
	NeverLocks Behaviour = "never-locks"
)

// LastWords is what a browser that ExitsAtOnce prints.
const LastWords = "the display is on fire"

// Version is the version that the browser reports.
const Version = "140.0.7000.1"

// Main runs the browser and exits, if the program was started as one. Call it first in TestMain.
func Main() {
	if len(os.Args) == 2 && os.Args[1] == "--version" {
		fmt.Println("Chromium " + Version)
		os.Exit(0)
	}
	for _, arg := range os.Args[1:] {
		if dir, ok := strings.CutPrefix(arg, "--user-data-dir="); ok {
			os.Exit(run(dir, Behaviour(os.Getenv(BehaviourEnv))))
		}
	}
}

func run(dataDir string, how Behaviour) int {
	if how == ExitsAtOnce {
		fmt.Fprintln(os.Stderr, LastWords)
		return 3
	}
	interrupted := make(chan os.Signal, 1)
	signal.Notify(interrupted, os.Interrupt)
	if how != NeverLocks {
		if err := lockFolder(dataDir); err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 21
		}
		defer func() { _ = os.Remove(filepath.Join(dataDir, "SingletonLock")) }()
	}

	ended := make(chan struct{})
	if hasPipe() {
		b := &browser{how: how, out: os.NewFile(4, "out")}
		go func() { defer close(ended); b.serve(os.NewFile(3, "in")) }()
	}
	select {
	case <-interrupted:
	case <-ended:
	}
	return 0
}

func hasPipe() bool {
	for _, arg := range os.Args {
		if arg == "--remote-debugging-pipe" {
			return true
		}
	}
	return false
}

// lockFolder does what Chromium does with its data folder: a lock that names the process, and the file that it opens
// for its first page.
func lockFolder(dir string) error {
	host, err := os.Hostname()
	if err != nil {
		return err
	}
	storage := filepath.Join(dir, "Default", "Session Storage")
	if err := os.MkdirAll(storage, 0o700); err != nil {
		return err
	}
	if err := os.Symlink(host+"-"+strconv.Itoa(os.Getpid()), filepath.Join(dir, "SingletonLock")); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(storage, "LOG"), nil, 0o600)
}

// browser speaks the protocol on a pipe.
type browser struct {
	how      Behaviour
	sessions int

	mu  sync.Mutex
	out io.Writer
}

type command struct {
	ID      int             `json:"id"`
	Session string          `json:"sessionId"`
	Method  string          `json:"method"`
	Params  json.RawMessage `json:"params"`
}

type object = map[string]any

// serve answers commands until Browser.close, or the end of the pipe.
func (b *browser) serve(in io.Reader) {
	r := bufio.NewReader(in)
	for {
		raw, err := r.ReadBytes(0)
		if err != nil {
			return
		}
		var c command
		if json.Unmarshal(raw[:len(raw)-1], &c) != nil {
			return
		}
		if c.Method == "Browser.close" {
			b.answer(c, object{})
			return
		}
		if b.how != NeverReady {
			b.handle(c)
		}
	}
}

const pageTarget = "THE-PAGE"

func (b *browser) handle(c command) {
	page := object{
		"targetId": pageTarget, "type": "page", "title": "", "url": "about:blank", "attached": false,
		"canAccessOpener": false,
	}
	switch c.Method {
	case "Browser.getVersion":
		b.answer(c, object{
			"product": "Chrome/" + Version, "protocolVersion": "1.3", "userAgent": "chromiumtest", "revision": "0",
			"jsVersion": "14.0",
		})
	case "Target.setDiscoverTargets":
		var p struct {
			Discover bool `json:"discover"`
		}
		_ = json.Unmarshal(c.Params, &p)
		if p.Discover && c.Session == "" {
			b.event(c.Session, "Target.targetCreated", object{"targetInfo": page})
		}
		b.answer(c, object{})
	case "Target.attachToBrowserTarget", "Target.attachToTarget":
		b.sessions++
		session := "SESSION-" + strconv.Itoa(b.sessions)
		if c.Method == "Target.attachToTarget" {
			b.event(c.Session, "Target.attachedToTarget", object{
				"sessionId": session, "targetInfo": page, "waitingForDebugger": false,
			})
		}
		b.answer(c, object{"sessionId": session})
	case "Target.getTargets":
		b.answer(c, object{"targetInfos": []any{page}})
	default:
		b.answer(c, object{})
	}
}

func (b *browser) answer(c command, result object) {
	b.send(object{"id": c.ID, "result": result}, c.Session)
}

func (b *browser) event(session, method string, params object) {
	b.send(object{"method": method, "params": params}, session)
}

func (b *browser) send(message object, session string) {
	if session != "" {
		message["sessionId"] = session
	}
	raw, err := json.Marshal(message)
	if err != nil {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	_, _ = b.out.Write(append(raw, 0))
}
