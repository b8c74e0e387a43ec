//go:build e2e

package compat

import (
	"math"
	"strconv"
	"strings"
)

// absent is what a path leads to that leads nowhere.
type absent struct{}

// at follows a path such as data.0.id into an answer.
func at(v any, path string) any {
	for name := range strings.SplitSeq(path, ".") {
		switch inner := v.(type) {
		case map[string]any:
			found, ok := inner[name]
			if !ok {
				return absent{}
			}
			v = found
		case []any:
			i, err := strconv.Atoi(name)
			if err != nil || i >= len(inner) {
				return absent{}
			}
			v = inner[i]
		default:
			return absent{}
		}
	}
	return v
}

// kindOf names the kind of what a path leads to.
func kindOf(v any, path string) string {
	switch found := at(v, path).(type) {
	case absent:
		return "absent"
	case nil:
		return "null"
	case string:
		return "string"
	case bool:
		return "boolean"
	case float64:
		if found == math.Trunc(found) {
			return "integer"
		}
		return "number"
	case []any:
		if len(found) == 0 {
			return "empty"
		}
		return "array"
	}
	return "object"
}
