package extension

import (
	"path"
	"strings"
	"unicode/utf8"

	"cove/internal/fault"
)

// Limits of the names in an extension. The file systems of all three systems accept them below a data folder.
const (
	maxName  = 255
	maxPath  = 400
	maxDepth = 30
)

// checkName refuses the name of a file that would leave the extension's folder, or that one of the systems that Cove
// runs on takes for something else.
func checkName(name string) error {
	parts := strings.Split(name, "/")
	bad := name == "" || len(name) > maxPath || len(parts) > maxDepth || !utf8.ValidString(name) ||
		strings.HasPrefix(name, "/") || strings.ContainsAny(name, `\:*?"<>|`) || path.Clean(name) != name
	for _, part := range parts {
		bad = bad || part == ".." || part == "." || len(part) > maxName || strings.HasSuffix(part, ".") ||
			strings.HasSuffix(part, " ") || device(part)
	}
	for _, r := range name {
		bad = bad || r < ' ' || r == 0x7f
	}
	if strings.HasPrefix(name, "_") && !strings.HasPrefix(name, "_locales/") &&
		!strings.HasPrefix(name, "_platform_specific/") {
		return fault.Unprocessablef("file", "The browser reserves names such as %q, which begin with an underscore.",
			oneLine(name, maxTitle)).WithHint("Rename the file or the folder, and change the places that name it.")
	}
	if bad {
		return fault.Unprocessablef("file", "The extension has a file with a name that Cove does not write: %q.",
			oneLine(name, maxTitle)).WithHint("Rename the file, and change the places that name it.")
	}
	return nil
}

// device reports whether Windows takes a name for a device, such as nul.js for nothing at all.
func device(part string) bool {
	stem, _, _ := strings.Cut(strings.ToLower(part), ".")
	stem = strings.TrimRight(stem, " ")
	switch stem {
	case "con", "prn", "aux", "nul", "conin$", "conout$":
		return true
	}
	if len(stem) < 4 || stem[:3] != "com" && stem[:3] != "lpt" {
		return false
	}
	switch stem[3:] {
	case "0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "¹", "²", "³":
		return true
	}
	return false
}
