// Package inspect has the tools that show what developer tools show of a page: its console, its requests, its styles.
package inspect

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"cove/internal/fault"
	"cove/internal/mcpserver"
	"cove/internal/page/devlog"
	"cove/internal/snapshot/text"
)

// ListConsoleMessagesTool returns the tool list_console_messages.
func ListConsoleMessagesTool() mcpserver.Tool {
	return mcpserver.Define(mcpserver.Tool{
		Name: "list_console_messages", Text: "List console messages since the last navigation.", ReadOnly: true,
	}, listConsoleMessages)
}

//nolint:lll // a tag has no line breaks
type consoleInput struct {
	mcpserver.OnPage
	paged
	Types                    []string `json:"types,omitempty" enum:"log|debug|info|error|warn|dir|dirxml|table|trace|clear|startGroup|startGroupCollapsed|endGroup|assert|profile|profileEnd|count|timeEnd|verbose|issue"`
	IncludePreservedMessages bool     `json:"includePreservedMessages,omitempty" say:"of the last 3 navigations too"`
	IncludeStackTraces       bool     `json:"includeStackTraces,omitempty"`
	ServiceWorkerID          string   `json:"serviceWorkerId,omitempty"`
}

func listConsoleMessages(ctx context.Context, c *mcpserver.Call, in consoleInput) error {
	if in.ServiceWorkerID != "" {
		return fault.Invalidf("Console messages of service workers are not collected.").
			WithHint("Leave serviceWorkerId out.")
	}
	t, err := c.FindTab(ctx, in.OnPage)
	if err != nil {
		return err
	}

	t.AwaitLog(ctx)
	all := slices.DeleteFunc(t.Log.Messages(in.IncludePreservedMessages), func(m devlog.Message) bool {
		return len(in.Types) > 0 && !slices.Contains(in.Types, m.Type)
	})
	c.Head("## Console messages")
	from, to, err := in.bounds(c, len(all), usualSize)
	if err != nil {
		return err
	}
	if len(all) == 0 {
		c.Say("<no console messages found>")
		return nil
	}

	var b strings.Builder
	for _, m := range all[from:to] {
		fmt.Fprintf(&b, "msgid=%d [%s] %s (%d args)", m.ID, m.Type, c.Redact.Words(m.Text, 500), len(m.Args))
		if m.Times > 1 {
			fmt.Fprintf(&b, " [%d times]", m.Times)
		}
		b.WriteByte('\n')
		if in.IncludeStackTraces {
			for _, frame := range m.Stack {
				b.WriteString("  " + text.Clean(frame) + "\n")
			}
		}
	}
	c.Show(b.String())
	return nil
}

// GetConsoleMessageTool returns the tool get_console_message.
func GetConsoleMessageTool() mcpserver.Tool {
	return mcpserver.Define(mcpserver.Tool{
		Name: "get_console_message", Text: "Show one console message with its arguments and stack.", ReadOnly: true,
	}, getConsoleMessage)
}

type messageInput struct {
	mcpserver.OnPage
	MsgID mcpserver.Number `json:"msgid"`
}

func getConsoleMessage(ctx context.Context, c *mcpserver.Call, in messageInput) error {
	t, err := c.FindTab(ctx, in.OnPage)
	if err != nil {
		return err
	}
	m, ok := t.Log.Message(int(in.MsgID))
	if !ok {
		return fault.New(fault.CodeMessage,
			fmt.Sprintf("There is no console message %d on this page.", int(in.MsgID)),
			"list_console_messages shows what there is.")
	}

	c.Say("ID: %d", m.ID)
	var b strings.Builder
	fmt.Fprintf(&b, "Message: %s> %s\n", m.Type, m.Text)
	if len(m.Args) > 0 {
		b.WriteString("### Arguments\n")
		for i, a := range m.Args {
			fmt.Fprintf(&b, "Arg #%d: %s\n", i, a)
		}
	}
	if len(m.Stack) > 0 {
		b.WriteString("### Stack trace\n" + strings.Join(m.Stack, "\n") + "\n")
	}
	c.Show(b.String())
	return nil
}
