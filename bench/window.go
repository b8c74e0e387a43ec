package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os/exec"
	"time"

	"cove/api"
)

const windowProfiles, windowRounds = 10000, 5

// windows measures the window with many profiles in a browser of its own.
func windows(ctx context.Context, a *app, _ string) error {
	for made := 0; made < windowProfiles; made += 1000 {
		many := api.MassInput{}
		for i := range 1000 {
			name := fmt.Sprintf("Profile %d", made+i+1)
			folder := fmt.Sprintf("Folder %d", i%20)
			tags := api.Strings{fmt.Sprintf("tag %d", i%50), "all"}
			many.Profiles = append(many.Profiles, api.ProfileInput{
				Name: &name, Folder: &api.LooseFolder{Name: folder}, Tags: &tags,
			})
		}
		if err := a.Do(ctx, "POST", "/browser_profiles/mass", many, nil); err != nil {
			return err
		}
	}
	var links []string
	for range windowRounds {
		link, err := a.WindowLink(ctx, false)
		if err != nil {
			return err
		}
		links = append(links, link.URL)
	}
	given, err := json.Marshal(map[string]any{"links": links, "profiles": windowProfiles})
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, 5*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, "node", "ui-speed.mjs", string(given))
	cmd.Dir = "e2e/node"
	raw, err := cmd.Output()
	if err != nil {
		return fmt.Errorf("measure the window: %w: %s", err, raw)
	}
	var got struct {
		Ready, Whole, Search, FPS, Bare int
		Cost                            float64
	}
	if err := json.Unmarshal(raw, &got); err != nil {
		return err
	}
	fmt.Printf("\n| the window with %d profiles | Cove | aim |\n|---|---|---|\n", windowProfiles)
	fmt.Printf("| from the link to the first key | %d ms | < 1000 ms |\n", got.Ready)
	fmt.Printf("| from the link to all rows | %d ms | – |\n", got.Whole)
	fmt.Printf("| from a search's last letter to its rows | %d ms | – |\n", got.Search)
	fmt.Printf("| frames a second while scrolling | %d | ≥ 50 |\n", got.FPS)
	fmt.Printf("| processor time of a frame | %.1f ms | < 20 ms |\n", got.Cost)
	fmt.Printf("| frames without rows | %d | 0 |\n", got.Bare)
	return nil
}
