package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os/exec"
)

// countTokens prices texts with a real byte pair encoding, o200k_base.
func countTokens(ctx context.Context, texts []string) ([]float64, error) {
	raw, err := json.Marshal(texts)
	if err != nil {
		return nil, err
	}
	cmd := exec.CommandContext(ctx, "node", "tokens.mjs")
	cmd.Dir = "bench"
	cmd.Stdin = bytes.NewReader(raw)
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("count tokens: %w", err)
	}
	var counts []float64
	return counts, json.Unmarshal(out, &counts)
}
