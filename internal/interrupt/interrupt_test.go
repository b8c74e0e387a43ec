//go:build unix

package interrupt

import (
	"os"
	"syscall"
	"testing"
)

func TestASignalBeforeAnybodyAskedIsNotLost(t *testing.T) {
	<-ready
	if err := syscall.Kill(os.Getpid(), syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
	ctx, stop := Context()
	defer stop()
	<-ctx.Done()
}
