package tools

import (
	"context"
	"encoding/json"
	"strings"

	"cove/internal/fault"
	"cove/internal/mcpserver"
	"cove/internal/page"
	"cove/internal/page/emulation"
)

func emulateTool() mcpserver.Tool {
	return mcpserver.Define(mcpserver.Tool{
		Name: "emulate",
		Text: "Emulate a network, CPU, place, device or preferences. What is left out is reset.",
	}, emulate)
}

type emulateInput struct {
	mcpserver.OnPage
	NetworkConditions    string  `json:"networkConditions,omitempty" enum:"Offline|Slow 3G|Fast 3G|Slow 4G|Fast 4G"`
	CPUThrottlingRate    *number `json:"cpuThrottlingRate,omitempty"`
	Geolocation          string  `json:"geolocation,omitempty" say:"latitude,longitude"`
	UserAgent            string  `json:"userAgent,omitempty"`
	ColorScheme          string  `json:"colorScheme,omitempty" enum:"dark|light|auto"`
	ForcedColors         string  `json:"forcedColors,omitempty" enum:"active|none|auto"`
	PrefersContrast      string  `json:"prefersContrast,omitempty" enum:"more|less|custom|no-preference|auto"`
	PrefersReducedMotion string  `json:"prefersReducedMotion,omitempty" enum:"reduce|no-preference|auto"`
	Viewport             string  `json:"viewport,omitempty" say:"400x800x2,mobile,touch,landscape"`
	ExtraHTTPHeaders     string  `json:"extraHttpHeaders,omitempty" say:"JSON object"`
}

func emulate(ctx context.Context, c *mcpserver.Call, in emulateInput) error {
	e, err := emulationOf(in)
	if err != nil {
		return err
	}
	t, unlock, err := c.LockTab(ctx, in.OnPage)
	if err != nil {
		return err
	}
	defer unlock()

	if err := t.Emulator.Apply(ctx, c.Session(), e); err != nil {
		return err
	}
	clearOnLeave(c, t)
	c.Say("Emulation configured successfully")
	for _, setting := range e.Describe() {
		c.Say("%s", setting)
	}
	return nil
}

// clearOnLeave makes what a person sees in their own browser real again when the agent leaves. Elsewhere it stays.
func clearOnLeave(c *mcpserver.Call, t *page.Tab) {
	if agent := c.Session(); t.IsShared() {
		c.OnLeave(func() { t.Emulator.Clear(agent) })
	}
}

func emulationOf(in emulateInput) (emulation.Conditions, error) {
	e := emulation.Conditions{
		Network: in.NetworkConditions, Geolocation: in.Geolocation, UserAgent: in.UserAgent,
		ColorScheme: in.ColorScheme, ForcedColors: in.ForcedColors, Contrast: in.PrefersContrast,
		ReducedMotion: in.PrefersReducedMotion, Viewport: in.Viewport}
	if in.CPUThrottlingRate != nil {
		if *in.CPUThrottlingRate < 1 || *in.CPUThrottlingRate > 20 {
			return e, fault.Invalidf("Invalid arguments for tool emulate: cpuThrottlingRate is 1 to 20.")
		}
		e.CPU = float64(*in.CPUThrottlingRate)
	}
	if strings.TrimSpace(in.ExtraHTTPHeaders) != "" {
		if json.Unmarshal([]byte(in.ExtraHTTPHeaders), &e.Headers) != nil {
			return e, fault.Invalidf(
				"Invalid arguments for tool emulate: extraHttpHeaders is a JSON object of strings.")
		}
	}
	return e, nil
}

func resizePageTool() mcpserver.Tool {
	return mcpserver.Define(mcpserver.Tool{
		Name: "resize_page", Text: "Give the page's window this inner size.",
	}, resizePage)
}

type resizeInput struct {
	mcpserver.OnPage
	Width  number `json:"width"`
	Height number `json:"height"`
}

func resizePage(ctx context.Context, c *mcpserver.Call, in resizeInput) error {
	if in.Width < 1 || in.Height < 1 || in.Width > 10000 || in.Height > 10000 {
		return fault.Invalidf("Invalid arguments for tool resize_page: width and height are 1 to 10000.")
	}
	t, unlock, err := c.LockTab(ctx, in.OnPage)
	if err != nil {
		return err
	}
	defer unlock()

	if err := t.Emulator.Resize(ctx, c.Session(), int(in.Width), int(in.Height)); err != nil {
		return err
	}
	clearOnLeave(c, t)
	addPages(ctx, c)
	return nil
}
