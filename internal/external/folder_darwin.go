package external

import (
	"os"
)

func candidates() []candidate {
	dir, err := os.UserConfigDir() // ~/Library/Application Support
	if err != nil {
		return nil
	}
	return under(dir, candidate{"Google Chrome", "Google/Chrome"},
		candidate{"Google Chrome Beta", "Google/Chrome Beta"}, candidate{"Chromium", "Chromium"},
		candidate{"Microsoft Edge", "Microsoft Edge"},
		candidate{"Brave", "BraveSoftware/Brave-Browser"})
}
