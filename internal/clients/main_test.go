package clients

import (
	"context"
	"fmt"
	"os"
	"strconv"
	"testing"

	"cove/internal/paths"
	"cove/internal/profile"
)

// TestMain runs the tests on a disk in memory, where a sync costs nothing. In a child process it adds one entry
// instead.
func TestMain(m *testing.M) {
	if id := os.Getenv("CLIENTS_TEST_ADD"); id != "" {
		os.Exit(addInProcess(id))
	}
	if dir, err := os.MkdirTemp("/dev/shm", "cove-clients"); err == nil {
		_ = os.Setenv("TMPDIR", dir)
		code := m.Run()
		_ = os.RemoveAll(dir)
		os.Exit(code)
	}
	os.Exit(m.Run())
}

// addInProcess is the body of one of several processes that register different profiles at the same time.
func addInProcess(text string) int {
	id, _ := strconv.Atoi(text)
	e, err := Here(os.Getenv("CLIENTS_TEST_DIR"))
	if err != nil {
		panic(err)
	}
	c, err := Find(os.Getenv("CLIENTS_TEST_CLIENT"))
	if err != nil {
		panic(err)
	}
	r := &Registry{Env: e, Home: paths.Home(os.Getenv("CLIENTS_TEST_DATA"))}
	if _, err := r.Add(context.Background(), c, User, entryOf(e, profile.ID(id)), false); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}
