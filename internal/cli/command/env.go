// Package command is what all commands share: the global flags and streams, the running app, one profile by id or name,
// and how results are printed and questions asked.
package command

import (
	"bufio"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"cove/internal/fault"
	"cove/internal/paths"
)

// Version is the version of Cove.
const Version = "0.1.0"

// Env is what one run of the program was given. It is filled once, from the environment and the flags; no command reads
// the environment itself. A command is made with it before the flags are parsed and reads it when it runs.
type Env struct {
	// Home is the data folder as it was named, or empty.
	Home string
	// JSON makes Print write JSON.
	JSON bool
	// Browser is the path of the browser to use, or empty. BrowserArgs are arguments for every browser.
	Browser, BrowserArgs string
	// LogLevel is the least level that logs show.
	LogLevel slog.Level
	// MemoryInterval is how often a keeper logs its memory. It is zero except in tests.
	MemoryInterval time.Duration

	// In, Out and Err are the standard streams.
	In       io.Reader
	Out, Err io.Writer

	input *bufio.Reader // reads In when it is not a terminal
}

// HomeDir returns the data folder as an absolute path without links: browsers are recognised by it.
func (e *Env) HomeDir() (paths.Home, error) {
	if e.Home == "" {
		home, err := paths.DefaultHome()
		if err != nil {
			err = fault.New(fault.CodeNoHome, "Cove does not know where its data folder is: "+err.Error()+".",
				"Name it with --home DIR or COVE_HOME.").Because(err)
		}
		return home, err
	}

	abs, err := filepath.Abs(e.Home)
	if err != nil {
		return "", err
	}
	if resolved, err := filepath.EvalSymlinks(abs); err == nil {
		abs = resolved
	}

	return paths.Home(abs), nil
}

// Advice returns a text whose commands a person can type as they are. They name the data folder and the program's path
// if needed.
func (e *Env) Advice(text string) string {
	if home, err := e.HomeDir(); err == nil {
		text = home.Advice(text)
	}
	return paths.CalledAs(CallName(), text)
}

// Advise writes a line that says which command to run next.
func (e *Env) Advise(w io.Writer, format string, args ...any) {
	fmt.Fprintln(w, e.Advice(fmt.Sprintf(format, args...)))
}

// CallName returns how this program is called here: cove if that is on the PATH, else as it was called.
func CallName() string {
	self, err := os.Executable()
	if err != nil {
		return "cove"
	}

	mine, err1 := os.Stat(self)
	if found, err := exec.LookPath("cove"); err == nil && err1 == nil {
		if other, err := os.Stat(found); err == nil && os.SameFile(mine, other) {
			return "cove"
		}
	}

	return os.Args[0]
}

// AbsolutePath returns a path that is also right for the app, which runs in another folder. A bare name stays as it is,
// because the app looks it up on the PATH.
func AbsolutePath(path string) string {
	if strings.ContainsRune(path, '/') || strings.ContainsRune(path, filepath.Separator) {
		if abs, err := filepath.Abs(path); err == nil {
			return abs
		}
	}
	return path
}
