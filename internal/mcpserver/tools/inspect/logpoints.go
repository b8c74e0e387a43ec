package inspect

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"cove/internal/mcpserver"
	"cove/internal/page"
	"cove/internal/page/logpoint"
	"cove/internal/policy"
	"cove/internal/wording"
)

// SetLogpointsTool returns the tool set_logpoints.
func SetLogpointsTool() mcpserver.Tool {
	return mcpserver.Define(mcpserver.Tool{
		Name: "set_logpoints", Group: "debug",
		Text:  "Log expressions to the console whenever lines of scripts are reached. Replaces your earlier ones.",
		Needs: []mcpserver.Need{{Class: policy.Script, What: describeLogpoints}},
	}, setLogpoints)
}

func describeLogpoints(raw json.RawMessage) string {
	var in logpointsInput
	_ = json.Unmarshal(raw, &in)
	var all []string
	for _, p := range in.Logpoints {
		all = append(all, p.Expression)
	}
	return "run scripts of its own at lines of the page's (" + wording.Shorten(strings.Join(all, "; "), 200) + ")"
}

type logpointsInput struct {
	mcpserver.OnPage
	Logpoints []logpointInput `json:"logpoints" say:"[] removes all"`
}

type logpointInput struct {
	URL        string            `json:"url" say:"of the script"`
	ScriptLine mcpserver.Number  `json:"line" say:"from 1"`
	Column     *mcpserver.Number `json:"column,omitempty"`
	Expression string            `json:"expression" say:"as console.log takes it"`
}

const (
	maxExpression = 2000
	maxLine       = 1 << 30
)

func setLogpoints(ctx context.Context, c *mcpserver.Call, in logpointsInput) error {
	var places []int
	err := standing[logpointInput, logpoint.Point]{
		name: "Logpoint", read: readLogpoint,
		set: func(t *page.Tab, agent string, points []logpoint.Point) (first bool, err error) {
			places, first, err = t.Logpoints.Set(ctx, agent, points)
			return first, err
		},
		clear: func(t *page.Tab, agent string) { t.Logpoints.Clear(agent) },
	}.apply(ctx, c, in.OnPage, in.Logpoints)
	if err != nil {
		return err
	}
	if len(in.Logpoints) == 0 {
		c.Done("Your logpoints on this page were removed.")
		return nil
	}
	c.Head("%s set. list_console_messages shows what they log.", wording.Count(len(in.Logpoints), "logpoint"))
	for i, p := range in.Logpoints {
		where := fmt.Sprintf("%s:%d", wording.Shorten(c.Redact.URL(p.URL), 200), int(p.ScriptLine))
		if places[i] == 0 {
			c.Say("%d. %s: no script with this line so far. It is set when one comes.", i+1, where)
		} else {
			c.Say("%d. %s", i+1, where)
		}
	}
	return nil
}

// readLogpoint returns a logpoint as the page takes it, or what is wrong with it.
func readLogpoint(in logpointInput) (p logpoint.Point, wrong string) {
	column := 0.0
	if in.Column != nil {
		column = float64(*in.Column)
	}
	switch {
	case in.URL == "":
		return p, "needs the url of a script"
	case in.ScriptLine < 1 || in.ScriptLine > maxLine || column < 0 || column > maxLine:
		return p, "needs a line and a column from 1"
	case strings.TrimSpace(in.Expression) == "":
		return p, "needs an expression"
	case len(in.Expression) > maxExpression:
		return p, fmt.Sprintf("has an expression of more than %d bytes", maxExpression)
	}
	return logpoint.Point{
		URL: in.URL, Line: int(in.ScriptLine), Column: int(column), Expression: in.Expression,
	}, ""
}
