package notify

import (
	"context"
	"os/exec"
)

// Desktop shows a notification. Here it has no buttons, so the key is always "".
func Desktop(ctx context.Context, n Notification) (key string, err error) {
	const script = "on run argv\ndisplay notification (item 2 of argv) with title (item 1 of argv)\nend run"
	return "", exec.CommandContext(ctx, "/usr/bin/osascript", "-e", script, n.Title, n.Text).Run()
}
