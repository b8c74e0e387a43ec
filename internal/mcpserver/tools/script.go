package tools

import (
	"context"
	"encoding/json"
	"strings"
	"time"

	"cove/internal/fault"
	"cove/internal/mcpserver"
	"cove/internal/page"
	"cove/internal/policy"
)

func evaluateScriptTool() mcpserver.Tool {
	return mcpserver.Define(mcpserver.Tool{
		Name:  "evaluate_script",
		Text:  "Run JavaScript in the page; the result must be JSON.",
		Needs: []mcpserver.Need{{Class: policy.Script, What: describeScript}},
	}, evaluateScript)
}

func describeScript(raw json.RawMessage) string {
	var in evaluateInput
	_ = json.Unmarshal(raw, &in)
	return "run a script of its own (" + scriptWords(in.Function+in.SourcePath) + ")"
}

type evaluateInput struct {
	mcpserver.OnPage
	Function         string   `json:"function,omitempty" say:"() => document.title, (el) => el.innerText"`
	SourcePath       string   `json:"sourcePath,omitempty" say:"file with it"`
	Format           string   `json:"format,omitempty" enum:"function|script"`
	Args             []string `json:"args,omitempty" say:"uids of elements"`
	Frame            string   `json:"frame,omitempty" say:"uid of an Iframe"`
	FilePath         string   `json:"filePath,omitempty" say:"save the result"`
	DialogAction     string   `json:"dialogAction,omitempty" say:"accept, dismiss or a prompt's text"`
	WaitForStableDom *bool    `json:"waitForStableDom,omitempty"`
}

const (
	// scriptLimit is how long a script may run.
	scriptLimit = 30 * time.Second
	// maxValue is how many bytes of its value an agent reads.
	maxValue = 100_000
)

func evaluateScript(ctx context.Context, c *mcpserver.Call, in evaluateInput) error {
	source, err := sourceOf(ctx, c, in)
	if err != nil {
		return err
	}
	if in.DialogAction == "" {
		in.DialogAction = "accept" // the script goes on only when its dialog is answered
	}
	t, unlock, err := c.LockTab(ctx, in.OnPage)
	if err != nil {
		return err
	}
	defer unlock()

	value, e, err := t.Evaluate(ctx, page.Script{
		Source: source, Plain: in.Format == "script", UIDs: in.Args, Frame: in.Frame, Dialog: in.DialogAction,
		Limit: c.Within(scriptLimit), Settle: in.WaitForStableDom != nil && *in.WaitForStableDom})
	if err != nil {
		c.ReportEffects(ctx, e)
		return err
	}
	if in.FilePath != "" {
		full, err := c.Files.Save(ctx, in.FilePath, []byte(value))
		if err != nil {
			return err
		}
		c.SaySaved("Script ran on page. Saved the result to", full)
	} else {
		c.Head("Script ran on page and returned:")
		c.ShowValue(page.Pretty(value, maxValue))
	}
	c.ReportEffects(ctx, e)
	return nil
}

// sourceOf returns the script that the agent gives, in the arguments or in a file.
func sourceOf(ctx context.Context, c *mcpserver.Call, in evaluateInput) (string, error) {
	const wrong = "Invalid arguments for tool evaluate_script: "
	if in.SourcePath != "" && in.Function != "" {
		return "", fault.Invalidf(wrong + "function and sourcePath exclude each other.")
	}

	source := in.Function
	if in.SourcePath != "" {
		raw, err := c.Files.Load(ctx, in.SourcePath)
		if err != nil {
			return "", err
		}
		source = string(raw)
	}
	if strings.TrimSpace(source) == "" {
		return "", fault.Invalidf(wrong + "function or sourcePath is required.")
	}
	return source, nil
}
