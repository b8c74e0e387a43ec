package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"cove/api"
)

const serverRounds = 21

// wrapped compares the devtools MCP server through the wrapper with the server alone, on a profile that is open
// already.
func wrapped(ctx context.Context, a *app, dir string) error {
	modules, err := filepath.Abs("e2e/node/node_modules")
	if err != nil {
		return err
	}
	node, err := exec.LookPath("node")
	if err != nil {
		return err
	}
	folder := filepath.Join(dir, "mcp")
	install := exec.CommandContext(ctx, filepath.Join(dir, "cove"),
		"wrapper", "install", "--home", a.home, "--dir", folder, "--no-fetch")
	if out, err := install.CombinedOutput(); err != nil {
		return fmt.Errorf("install the wrapper: %w: %s", err, out)
	}
	s, err := a.Start(ctx, 1, api.StartOptions{Automation: true})
	if err != nil {
		return err
	}
	defer func() { _ = a.Stop(ctx, 1) }()
	through := []string{node, filepath.Join(folder, "profile-devtools-mcp.mjs"), "1"}
	alone := []string{
		node, filepath.Join(modules, "chrome-devtools-mcp/build/src/bin/chrome-devtools-mcp.js"),
		"--browserUrl", fmt.Sprintf("http://127.0.0.1:%d", s.Automation.Port),
		"--no-usage-statistics", "--no-performance-crux",
	}
	var ours, theirs []time.Duration
	for round := range serverRounds + 1 {
		for _, one := range []struct {
			command []string
			to      *[]time.Duration
		}{{through, &ours}, {alone, &theirs}} {
			took, err := initialized(ctx, one.command, modules)
			if err != nil {
				return err
			}
			if round > 0 { // the first reads the files from the disk
				*one.to = append(*one.to, took)
			}
		}
	}
	added := make([]time.Duration, len(ours)) // of neighbours, since the machine's load changes slowly
	for i := range ours {
		added[i] = ours[i] - theirs[i]
	}
	what := "wrapper + devtools server to initialize : devtools server alone"
	what = fmt.Sprintf("%s (adds %s)", what, short(median(added)))
	printRatio(what, median(ours), median(theirs), "adds < 150ms")
	return nil
}

// initialized is the time from a server's start to its answer to initialize.
func initialized(ctx context.Context, command []string, modules string) (time.Duration, error) {
	cmd := exec.CommandContext(ctx, command[0], command[1:]...)
	cmd.Env = []string{
		"NODE_PATH=" + modules, "CHROME_DEVTOOLS_MCP_NO_UPDATE_CHECKS=1", "CHROME_DEVTOOLS_MCP_NO_CONFIG_DISCOVERY=1",
	}
	for _, kv := range os.Environ() {
		// More certificates cost each Node the same fixed time at its start, and there are two with the wrapper.
		if !strings.HasPrefix(kv, "NODE_EXTRA_CA_CERTS=") && !strings.HasPrefix(kv, "NODE_PATH=") {
			cmd.Env = append(cmd.Env, kv)
		}
	}
	in, err := cmd.StdinPipe()
	if err != nil {
		return 0, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return 0, err
	}
	began := time.Now()
	if err := cmd.Start(); err != nil {
		return 0, err
	}
	_, _ = fmt.Fprintln(in, `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25",`+
		`"capabilities":{},"clientInfo":{"name":"bench","version":"1"}}}`)
	answer, readErr := bufio.NewReader(out).ReadBytes('\n')
	took := time.Since(began)
	_ = in.Close()
	_ = cmd.Wait()
	var m struct {
		Result json.RawMessage `json:"result"`
	}
	if readErr != nil || json.Unmarshal(answer, &m) != nil || m.Result == nil {
		return 0, errors.Join(fmt.Errorf("%v answered %q", command, answer), readErr)
	}
	return took, nil
}
