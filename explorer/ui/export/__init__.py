"""What leaves the window: pictures, numbers, worksheets, prints."""
