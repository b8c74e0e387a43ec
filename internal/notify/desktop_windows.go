package notify

import (
	"context"
	"os"
	"os/exec"
)

// toast shows the texts of two variables, so that no text becomes a part of the script.
const toast = `
$null = [Windows.UI.Notifications.ToastNotificationManager, Windows.UI.Notifications, ContentType = WindowsRuntime]
$kind = [Windows.UI.Notifications.ToastTemplateType]::ToastText02
$xml = [Windows.UI.Notifications.ToastNotificationManager]::GetTemplateContent($kind)
$texts = $xml.GetElementsByTagName('text')
$null = $texts.Item(0).AppendChild($xml.CreateTextNode($env:COVE_NOTE_TITLE))
$null = $texts.Item(1).AppendChild($xml.CreateTextNode($env:COVE_NOTE_TEXT))
$note = [Windows.UI.Notifications.ToastNotification]::new($xml)
[Windows.UI.Notifications.ToastNotificationManager]::CreateToastNotifier('Cove').Show($note)
`

// Desktop shows a notification. Here it has no buttons, so the key is always "".
func Desktop(ctx context.Context, n Notification) (key string, err error) {
	cmd := exec.CommandContext(ctx, "powershell.exe", "-NoProfile", "-NonInteractive", "-WindowStyle", "Hidden",
		"-Command", toast)
	cmd.Env = append(os.Environ(), "COVE_NOTE_TITLE="+n.Title, "COVE_NOTE_TEXT="+n.Text)
	return "", cmd.Run()
}
