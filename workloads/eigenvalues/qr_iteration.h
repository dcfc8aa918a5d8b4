#pragma once

// Eigenvalues by QR iteration, without bisection.

#include <vector>

namespace heddle::workload::eigenvalues {

/// All eigenvalues of a symmetric tridiagonal matrix, in ascending order. `beside[i]` couples rows
/// i - 1 and i.
std::vector<double> by_qr_iteration(std::vector<double> diagonal, std::vector<double> beside);

}  // namespace heddle::workload::eigenvalues
