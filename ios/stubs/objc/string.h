// The compiler's headers for apps include it, and use nothing of it.
#pragma once
