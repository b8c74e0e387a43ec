package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// treeMemory is the proportional set size of a process and all below it, in bytes.
func treeMemory(pid int) (float64, error) {
	raw, err := os.ReadFile(fmt.Sprintf("/proc/%d/smaps_rollup", pid))
	if err != nil {
		return 0, err
	}
	all := 0.0
	for line := range bytes.Lines(raw) {
		f := strings.Fields(string(line))
		if len(f) == 3 && f[0] == "Pss:" {
			kb, err := strconv.ParseFloat(f[1], 64)
			if err != nil {
				return 0, err
			}
			all += kb * 1024
		}
	}
	children, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", pid))
	if err != nil {
		return 0, err
	}
	for _, file := range children {
		raw, _ := os.ReadFile(file)
		for _, f := range strings.Fields(string(raw)) {
			if child, err := strconv.Atoi(f); err == nil {
				if more, err := treeMemory(child); err == nil { // it may have ended since
					all += more
				}
			}
		}
	}
	return all, nil
}

// ownMemory is the proportional set size of one process: a keeper's child is the browser.
func ownMemory(pid int) float64 {
	raw, err := os.ReadFile(fmt.Sprintf("/proc/%d/smaps_rollup", pid))
	if err != nil {
		return 0
	}
	for line := range bytes.Lines(raw) {
		f := strings.Fields(string(line))
		if len(f) == 3 && f[0] == "Pss:" {
			kb, _ := strconv.ParseFloat(f[1], 64)
			return kb * 1024
		}
	}
	return 0
}
