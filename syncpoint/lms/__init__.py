"""Services of learning platforms: import rosters and send marks, by LTI 1.3 or a platform's own API."""
