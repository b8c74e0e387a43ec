package chromium

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"

	"cove/internal/process"
)

// Process is a browser that this process launched.
type Process struct {
	ID process.ID
	// In and Out are our ends of the debugging pipe; they are nil without one.
	In  io.WriteCloser
	Out io.ReadCloser

	cmd *exec.Cmd
}

// Launch starts the browser in a process session of its own. Its output goes to log.
func Launch(path string, o Options, log *os.File) (*Process, error) {
	cmd := exec.CommandContext(context.Background(), path, o.Flags()...) // it outlives whoever launches it
	cmd.Env = o.Env()
	cmd.Stdout, cmd.Stderr = log, log
	process.Detach(cmd)
	p := &Process{cmd: cmd}
	if !o.Pipe {
		return p, p.start()
	}
	theirIn, ourIn, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	ourOut, theirOut, err := os.Pipe()
	if err != nil {
		closeAll(theirIn, ourIn)
		return nil, err
	}
	inheritPipe(cmd, theirIn, theirOut)
	p.In, p.Out = ourIn, ourOut
	err = p.start()
	closeAll(theirIn, theirOut)
	if err != nil {
		closeAll(ourIn, ourOut)
		return nil, err
	}
	return p, nil
}

func (p *Process) start() error {
	if err := p.cmd.Start(); err != nil {
		return fmt.Errorf("start the browser: %w", err)
	}
	p.ID = process.ID{PID: p.cmd.Process.Pid}
	if info, ok := process.Lookup(p.ID.PID); ok {
		p.ID = info.ID
	}
	return nil
}

// Wait waits for the browser's end and returns its exit code; -1 when a signal ended it.
func (p *Process) Wait() int {
	_ = p.cmd.Wait()
	return p.cmd.ProcessState.ExitCode()
}

func closeAll(files ...*os.File) {
	for _, f := range files {
		_ = f.Close()
	}
}
